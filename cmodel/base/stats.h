/* SPDX-License-Identifier: Apache-2.0
 *
 * The statistics registry: every counter has a name, a unit, a meaning and a source, and reports
 * come from here alone. A unit counts in plain uint64_t members and registers their addresses once,
 * before the run. Registering a name again (the next core's counter) adds an instance; the
 * report combines the instances.
 */
#ifndef WARPMEM_BASE_STATS_H
#define WARPMEM_BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stat_combine {
    STAT_SUM,
    STAT_MAX,
};

struct stat_desc {
    const char *name;    /* place.what: lower case, digits, '_' and '.' */
    const char *unit;    /* "accesses", "core cycles", "flits", ... */
    const char *meaning; /* one line */
    const char *source;  /* the paper and section that reports it, or "model" */
    enum stat_combine combine;
};

struct stats;

/** stats_create() - NULL when out of memory. */
struct stats *stats_create(void);
void stats_destroy(struct stats *s);

/**
 * stats_register() - add an instance of a counter.
 * @d: static storage; each instance of a name must have the same description.
 * @value: read when a report is made.
 * Return: false when out of memory, or with a message in stats_error().
 */
bool stats_register(struct stats *s, const struct stat_desc *d, const uint64_t *value);

/* A unit's counters as a table: description and place in the unit's struct of counters. */
struct stat_member {
    struct stat_desc desc;
    size_t offset;
};

/** stats_register_members() - register each counter of a unit whose struct of counters starts at
 * @base. */
bool stats_register_members(struct stats *s, const struct stat_member *members, size_t count,
                            const void *base);

/** stats_error() - the fault of a counter that was refused: a plug-in registers counters too. NULL:
 * none. */
const char *stats_error(const struct stats *s);

/** stats_count() - number of names. stats_at() - the i-th, in the order of first registration. */
size_t stats_count(const struct stats *s);
const struct stat_desc *stats_at(const struct stats *s, size_t i);
/** stats_value() - the i-th, its instances combined. */
uint64_t stats_value(const struct stats *s, size_t i);
/** stats_get() - by name; the name must exist. */
uint64_t stats_get(const struct stats *s, const char *name);
/** stats_find() - set *i to the number of the counter of that name; false: no such counter. */
bool stats_find(const struct stats *s, const char *name, size_t *i);

#endif
