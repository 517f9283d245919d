/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stats.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATS_ERROR 400

struct stat_entry {
    const struct stat_desc *desc;
    const uint64_t **instances;
    size_t count, capacity;
    uint32_t hash; /* of the name: most names differ in it, and need no comparison */
};

struct stats {
    struct stat_entry *entries;
    size_t count, capacity;
    char error[STATS_ERROR];
    size_t next; /* after the last match, because units of a kind register in the same order */
};

struct stats *stats_create(void) {
    return calloc(1, sizeof(struct stats));
}

void stats_destroy(struct stats *s) {
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        free(s->entries[i].instances);
    }
    free(s->entries);
    free(s);
}

/* Scripts split names at dots and use them as columns. */
static bool well_named(const char *name) {
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.")] == '\0' &&
           strchr(name, '.') && *name != '.' && name[strlen(name) - 1] != '.';
}

static bool same_desc(const struct stat_desc *a, const struct stat_desc *b) {
    return a == b || (!strcmp(a->unit, b->unit) && !strcmp(a->meaning, b->meaning) &&
                      !strcmp(a->source, b->source) && a->combine == b->combine);
}

/* Room for one element more; false when out of memory. */
static bool grow_stats_array(void **array, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity) {
        return true;
    }
    size_t wanted = *capacity ? 2 * *capacity : 16;
    void *grown = realloc(*array, wanted * size);
    if (!grown) {
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

/* FNV-1a. */
static uint32_t hash_name(const char *name) {
    uint32_t hash = 2166136261U;
    for (; *name; name++) {
        hash = (hash ^ (uint8_t)*name) * 16777619U;
    }
    return hash;
}

static struct stat_entry *find_entry(const struct stats *s, const char *name) {
    const uint32_t hash = hash_name(name);
    for (size_t i = 0; i < s->count; i++) {
        if (s->entries[i].hash == hash && !strcmp(s->entries[i].desc->name, name)) {
            return &s->entries[i];
        }
    }
    return NULL;
}

static struct stat_entry *add_name(struct stats *s, const struct stat_desc *d) {
    void *entries = s->entries;
    bool grown = grow_stats_array(&entries, &s->capacity, s->count, sizeof *s->entries);
    s->entries = entries;
    if (!grown) {
        return NULL;
    }
    s->entries[s->count] = (struct stat_entry){.desc = d, .hash = hash_name(d->name)};
    return &s->entries[s->count++];
}

static bool add_instance(struct stat_entry *entry, const uint64_t *value) {
    void *instances = entry->instances;
    bool grown =
        grow_stats_array(&instances, &entry->capacity, entry->count, sizeof *entry->instances);
    entry->instances = instances;
    if (grown) {
        entry->instances[entry->count++] = value;
    }
    return grown;
}

__attribute__((format(printf, 2, 3))) static bool refuse_counter(struct stats *s,
                                                                 const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(s->error, sizeof s->error, format, args);
    va_end(args);
    return false;
}

const char *stats_error(const struct stats *s) {
    return *s->error ? s->error : NULL;
}

bool stats_register(struct stats *s, const struct stat_desc *d, const uint64_t *value) {
    if (!well_named(d->name)) {
        return refuse_counter(
            s, "counter %.80s: must be place.what, of lower case, digits, _ and .", d->name);
    }
    struct stat_entry *entry = s->next < s->count && s->entries[s->next].desc == d
                                   ? &s->entries[s->next]
                                   : find_entry(s, d->name);
    if (entry && !same_desc(entry->desc, d)) {
        const struct stat_desc *a = entry->desc;
        return refuse_counter(s,
                              "two counters are called %.80s: \"%.80s\" (%.20s, %.30s) and "
                              "\"%.80s\" (%.20s, %.30s): must be two names",
                              d->name, a->meaning, a->unit, a->source, d->meaning, d->unit,
                              d->source);
    }
    if (!entry) {
        entry = add_name(s, d);
    }
    s->next = entry ? (size_t)(entry - s->entries) + 1 : 0;
    return entry && add_instance(entry, value);
}

size_t stats_count(const struct stats *s) {
    return s->count;
}

const struct stat_desc *stats_at(const struct stats *s, size_t i) {
    assert(i < s->count);
    return s->entries[i].desc;
}

static uint64_t combined_value(const struct stat_entry *entry) {
    uint64_t result = 0;
    for (size_t i = 0; i < entry->count; i++) {
        uint64_t value = *entry->instances[i];
        if (entry->desc->combine == STAT_SUM) {
            result += value;
        } else if (value > result) {
            result = value;
        }
    }
    return result;
}

uint64_t stats_value(const struct stats *s, size_t i) {
    assert(i < s->count);
    return combined_value(&s->entries[i]);
}

uint64_t stats_get(const struct stats *s, const char *name) {
    const struct stat_entry *entry = find_entry(s, name);
    assert(entry && "no counter of that name");
    return entry ? combined_value(entry) : 0;
}

bool stats_find(const struct stats *s, const char *name, size_t *i) {
    const struct stat_entry *entry = find_entry(s, name);
    if (entry) {
        *i = (size_t)(entry - s->entries);
    }
    return entry;
}
