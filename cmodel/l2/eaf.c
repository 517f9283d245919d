/* SPDX-License-Identifier: Apache-2.0
 *
 * The evicted-address filter (Seshadri et al., PACT 2012, which MeDiC compares with in section 5).
 *
 * The victim of a bank enters the bank's filter. A miss that takes a line looks its line up there:
 * a line that the filter knows was evicted too early, and is inserted most recently used. Another
 * line is inserted least recently used, except for one in eaf.bimodal (the bimodal insertion of
 * PACT 2012). The victim's address enters afterwards. Each bank has its share of the partition's
 * filter (eaf.bits, eaf.addresses), for its own lines alone.
 */
#include "l2/address_filter.h"
#include "l2/policy.h"

struct eaf {
    unsigned banks, shift; /* log2 @banks */
    struct eaf_bank {
        struct address_filter evicted;
        unsigned unknown; /* lines since one of them was inserted most recently used all the same */
    } bank[];
};

/* A perfect L2 evicts nothing. */
static bool wants_evicted_filter(const struct config *config) {
    return config->l2.insertion == L2_INSERTION_EAF && !config->l2.perfect;
}

static size_t eaf_state_size(const struct l2_policy_view *view) {
    return sizeof(struct eaf) + view->banks * sizeof(struct eaf_bank);
}

static unsigned share_of_bank(unsigned of_partition, unsigned banks, unsigned least) {
    unsigned of_bank = of_partition / banks;
    return of_bank > least ? of_bank : least;
}

static bool make_evicted_filters(void *state, const struct l2_policy_view *view,
                                 const struct build *build) {
    const struct config *c = view->config;
    struct eaf *eaf = state;
    eaf->banks = view->banks;
    eaf->shift = (unsigned)__builtin_ctz(view->banks);
    for (unsigned i = 0; i < eaf->banks; i++) {
        if (!address_filter_init(&eaf->bank[i].evicted, share_of_bank(c->eaf.bits, eaf->banks, 64),
                                 c->eaf.hashes, share_of_bank(c->eaf.addresses, eaf->banks, 1))) {
            return build_refused(build, "out of memory");
        }
    }
    return true;
}

static void destroy_evicted_filters(void *state) {
    struct eaf *eaf = state;
    for (unsigned i = 0; i < eaf->banks; i++) {
        address_filter_destroy(&eaf->bank[i].evicted);
    }
}

static enum l2_place place_by_filter(void *state, const struct l2_policy_view *view,
                                     const struct l2_policy_access *access, unsigned way) {
    struct eaf *eaf = state;
    struct eaf_bank *b = &eaf->bank[access->bank];
    (void)way;
    if (address_filter_knows(&b->evicted, access->line >> eaf->shift)) {
        return L2_PLACE_MOST_RECENT;
    }
    b->unknown = b->unknown + 1 == view->config->eaf.bimodal ? 0 : b->unknown + 1;
    return b->unknown ? L2_PLACE_LEAST_RECENT : L2_PLACE_MOST_RECENT;
}

static void note_evicted_line(void *state, const struct l2_policy_view *view,
                              const struct l2_policy_event *event) {
    struct eaf *eaf = state;
    (void)view;
    address_filter_insert(&eaf->bank[event->access->bank].evicted, event->line >> eaf->shift);
}

const struct l2_policy_kind l2_policy_eaf = {
    .name = "eaf",
    .about = "lines that were not evicted lately are inserted least recently used",
    .wanted = wants_evicted_filter,
    .events = L2_POLICY_EVENT(L2_POLICY_EVICTED),
    .state_size = eaf_state_size,
    .make = make_evicted_filters,
    .destroy = destroy_evicted_filters,
    .place = place_by_filter,
    .tell = note_evicted_line};
