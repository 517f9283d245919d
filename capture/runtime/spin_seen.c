/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "runtime/memory.h"
#include "runtime/spin_internal.h"

/* Equal for equal bytes, and of up to 8 bytes different for others. */
static uint64_t hash_of_bytes(const char *p, size_t bytes) {
    uint64_t hash = 0;
    for (size_t done = 0; done < bytes; done += sizeof hash) {
        uint64_t value = 0;
        memcpy(&value, p + done, bytes - done < sizeof value ? bytes - done : sizeof value);
        hash = spin_mix_hash(hash, value);
    }
    return hash;
}

void spin_list_seen(struct seen_list *l, struct seen s) {
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 16;
        l->seen = realloc(l->seen, l->room * sizeof *l->seen);
        if (!l->seen) {
            capture_fail("kernel %s: no memory for what its threads wait for",
                         running_kernel->name);
        }
    }
    l->seen[l->count++] = s;
}

bool spin_has_changed(const struct seen_list *l, size_t from, bool away) {
    for (size_t i = from; i < l->count; i++) {
        const struct seen *s = &l->seen[i];
        if (!(away && s->own) && hash_of_bytes(s->at, s->bytes) != s->value) {
            return true;
        }
    }
    return false;
}

/* Nothing proves then that a wait is for ever. */
static bool host_may_write(const char *p) {
    return memory_is_device(p) ? memory_kind_of(p) != MEMORY_DEVICE : !variable_at(p);
}

struct seen spin_seen_by(const struct spin_report *r) {
    const unsigned kind = spin_kind_of_word(r->word);
    return (struct seen){.at = r->at,
                         .bytes = r->bytes,
                         .own = kind == SPACE_SHARED || kind == SPACE_LOCAL,
                         .of_host = kind == SPACE_GLOBAL && host_may_write(r->at),
                         .value = hash_of_bytes(r->at, r->bytes)};
}
