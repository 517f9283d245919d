/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/idle_keys.h"

#include <string.h>

#include "base/text.h"
#include "cli/options/cli.h"
#include "config/derived.h"

void tell_idle_keys(const struct machine_options *o, const struct machine *m) {
    const struct config *c = &m->config;
    const struct {
        const char *section, *but; /* a key that switches the others on */
        bool idle;
        const char *why;
    } sections[] = {
        {"mrpb.", NULL, c->l1.mrpb == L1_MRPB_OFF, "l1.mrpb=off (--scheme mrpb)"},
        {"mdb.", "mdb.bypass=", c->mdb.bypass == MDB_BYPASS_OFF,
         "mdb.bypass=off (--scheme mdb-local)"},
        {"owl.", "owl.prefetch=", !config_has_cta_groups(c) && c->owl.prefetch == OWL_PREFETCH_OFF,
         "issue.scheduler is none of groups of CTAs and owl.prefetch=off (--scheme owl)"},
        {"daws.", "daws.mode=", !config_has_daws(c), "daws.mode=off (--scheme daws-detected)"},
        {"ccws.", "ccws.mode=", !c->ccws.mode, "ccws.mode=off (--scheme ccws)"},
        {"l1.victim_", "l1.victim_tags=", !config_has_victim_tags(c),
         "l1.victim_tags=off and nobody needs them (--scheme ccws)"},
        {"l2.bypass_at", NULL, !config_has_l2_sorting(c), "l2.bypass=off (--scheme wbyp)"},
        {"medic.counts", NULL, !config_has_table(c), "nothing asks for types (--scheme medic)"},
        {"l2.mshr_pool", NULL, c->l2.banks == 1, "l2.banks=1"},
        {"dram.high", NULL, c->dram.queues == DRAM_QUEUES_ONE, "dram.queues=one (--scheme wms)"},
        {"dram.queue_share", NULL, c->dram.queues == DRAM_QUEUES_ONE,
         "dram.queues=one (--scheme wms)"},
        {"dram.low_bound", NULL, c->dram.queues == DRAM_QUEUES_ONE,
         "dram.queues=one (--scheme wms)"},
        {"pdp.", NULL, c->l1.replacement != L1_REPLACEMENT_PDP,
         "l1.replacement=lru (--scheme pdp)"},
    };
    char shown[TEXT_SHOWN];
    for (unsigned i = 0; i < o->set_count; i++) {
        for (unsigned k = 0; k < sizeof sections / sizeof *sections; k++) {
            const char *but = sections[k].but;
            if (sections[k].idle &&
                !strncmp(o->sets[i], sections[k].section, strlen(sections[k].section)) &&
                (!but || strncmp(o->sets[i], but, strlen(but)) != 0)) {
                cli_error(CLI_OK, "--set %s: changes nothing while %s",
                          text_shown(shown, sizeof shown, o->sets[i]), sections[k].why);
            }
        }
    }
}
