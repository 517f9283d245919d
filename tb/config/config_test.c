/* SPDX-License-Identifier: Apache-2.0 */
#include "config/config_texts.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "config/keys.h"

TEST(every_preset_is_complete_and_possible) {
    const char *name, *about;
    unsigned count = 0;
    for (; (name = config_preset_name(count, &about)); count++) {
        struct config c;
        struct config_error e;
        if (!config_preset(&c, name, &e) || !config_check(&c, &e)) {
            fail_msg("%s: %s", name, e.text);
        }
        assert_true(strlen(about) > 10);
    }
    assert_int_equal(count, 10);
    assert_null(config_preset_name(count + 7, &about));
}

static uint64_t hash_key(uint64_t hash, const char *section, const char *key, const char *value) {
    char text[256];
    snprintf(text, sizeof text, "%s.%s=%s\n", section, key, value);
    for (const char *p = text; *p; p++) {
        hash = (hash ^ (unsigned char)*p) * UINT64_C(1099511628211);
    }
    return hash;
}

/* The same over what is printed, read back by other means. */
TEST(the_hash_is_fnv_1a_over_the_printed_values) {
    struct config c = base_preset();
    char line[512], section[64] = "", key[64], value[64];
    uint64_t hash = UINT64_C(14695981039346656037);
    FILE *f = tmpfile();
    config_print(&c, f);
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "[%63[a-z0-9]]", section) != 1 &&
            sscanf(line, "%63s = %63s", key, value) == 2) {
            hash = hash_key(hash, section, key, value);
        }
    }
    fclose(f);
    assert_true(hash == config_hash(&c));
}

/* Another value that the key allows, where it allows more than one. @old: what it was. */
static void change_value(struct config *c, unsigned i, char old[CONFIG_KEY_TEXT]) {
    const struct config_key *k = config_key_at(i);
    char text[CONFIG_KEY_TEXT];
    config_value_text(c, i, old);
    if (k->kind == CONFIG_NUMBER) {
        snprintf(text, sizeof text, "%u", k->min);
        if (!strcmp(text, old)) {
            snprintf(text, sizeof text, "%u", k->max);
        }
    } else if (k->kind == CONFIG_CHOICE) {
        snprintf(text, sizeof text, "%s", k->words[!strcmp(k->words[0], old)]);
    } else {
        snprintf(text, sizeof text, "%s", strcmp(old, "x") ? "x" : "y");
    }
    assert_true(config_value_put(c, i, text));
}

TEST(every_key_changes_the_hash) {
    struct config c = base_preset();
    uint64_t before = config_hash(&c);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        char old[CONFIG_KEY_TEXT];
        change_value(&c, i, old);
        assert_true(config_hash(&c) != before);
        assert_true(config_value_put(&c, i, old));
    }
    assert_true(config_hash(&c) == before);
}

/* Numbers, choices and words, of every preset and the longest word: into a machine in which every
 * key differs. */
TEST(what_is_printed_reads_back_the_same) {
    const char *name;
    for (unsigned p = 0; (name = config_preset_name(p, NULL)); p++) {
        struct config c, back;
        struct config_error e;
        char *text;
        size_t size;
        assert_true(config_preset(&c, name, &e) && config_set(&c, "l1.front=mrpb", &e));
        if (p == 0) {
            memset(c.noc.nodes, 'c', CONFIG_TEXT - 1);
        }
        back = c;
        for (unsigned i = 0; i < CONFIG_KEYS; i++) {
            char old[CONFIG_KEY_TEXT];
            change_value(&back, i, old);
        }
        FILE *f = open_memstream(&text, &size);
        config_print(&c, f);
        fclose(f);
        if (!config_from_text(&back, text, size, &e)) {
            fail_msg("%s: %s", name, e.text);
        }
        assert_memory_equal(&c, &back, sizeof c);
        free(text);
    }
}

TEST(a_file_may_be_indented_commented_and_end_without_newline) {
    static const char text[] =
        "\xef\xbb\xbf; BOM and comment\r\n\r\n[l1] ; here\r\n   ways = 8 ; and "
        "here\r\n\tsets:64\r\n# done\r\n[l2]\nways=4";
    struct config c = base_preset();
    struct config_error e;
    if (!config_from_text(&c, text, sizeof text - 1, &e)) {
        fail_msg("%s", e.text);
    }
    assert_int_equal(c.l1.ways, 8);
    assert_int_equal(c.l1.sets, 64);
    assert_int_equal(c.l2.ways, 4);
    assert_true(config_from_text(&c, "", 0, &e));
}

TEST(bad_files_are_named_with_line_and_what_is_allowed) {
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"[l1]\nways = 0\n", ":2: l1.ways = 0: must be 1..524288 ways"},
        {"[l1]\nways = 524289\n", ":2: l1.ways = 524289: must be 1..524288 ways"},
        {"[l1]\nways =\n", ":2: l1.ways = (nothing): must be 1..524288 ways"},
        {"[l1]\nways = -1\n", "l1.ways = -1: must be"},
        {"[l1]\nways = +4\n", "l1.ways = +4: must be"},
        {"[l1]\nways = 4x\n", "l1.ways = 4x: must be"},
        {"[l1]\nways = 4 5\n", "l1.ways = 4 5: must be"},
        {"[l1]\nways = 0x4\n", "l1.ways = 0x4: must be"},
        {"[l1]\nways = 4.0\n", "l1.ways = 4.0: must be"},
        {"[l1]\nways = 18446744073709551620\n", "l1.ways = 18446744073709551620: must be"},
        {"[l1]\nways = 4294967300\n", "l1.ways = 4294967300: must be"},
        {"[l1]\nline_bytes = 256\n", "l1.line_bytes = 256: must be 32..128 bytes"},
        {"[l1]\nindex = hash\n", ":2: l1.index = hash: must be modulo or xor or xor-all or fermi"},
        {"[l1]\nindex = 1\n", "l1.index = 1: must be modulo or xor or xor-all or fermi"},
        {"[l1]\nindex = mod\n", "l1.index = mod: must be modulo or xor or xor-all or fermi"},
        {"\n\n[l1]\nway = 4\n", ":4: l1.way: no such key; did you mean l1.ways?"},
        {"[l1]\nmsrhs = 4\n", "did you mean l1.mshrs?"},
        {"[l1]\nrop_latency = 4\n", "did you mean l2.rop_latency?"},
        {"[l1]\nbananas = 4\n", "l1.bananas: no such key; `warpmem config show"},
        {"[l3]\nways = 4\n", ":2: [l3]: no such section; did you mean [l1]?"},
        {"[bananas]\nways = 4\n", "no such section; there are clock, core,"},
        {"ways = 4\n", ":1: ways: stands before the first [section], where only base = PRESET"},
        {"base = gtx\n", ":1: base: preset gtx: there is none of that name; did you mean gtx480?"},
        {";\nbase = fermi\n", ":2: base: preset fermi: there is none of that name"},
        {"base = gtx480\nbase = gtx480\n", ":2: base: set twice, first in /tmp/config_"},
        {"base = gtx480\n[l1]\nways = 0\n", ":3: l1.ways = 0: must be 1..524288 ways"},
        {"[l1]\nways = 4\nsets = 32\nways = 4\n", ":4: l1.ways: set twice, first in line 2"},
        {"[l1]\nways = 4\n[l2]\nways = 4\n[l1]\nways = 4\n", ":6: l1.ways: set twice"},
        {"[l1]\nways\n", ":2: must be [section], key = value"},
        {"[l1\nways = 4\n", ":1: must be [section], key = value"},
        {"[l1]\njunk\nsets = 99999\n", ":2: must be [section], key = value"},
        {"[l1]\nsets = 99999\njunk\n", ":2: l1.sets = 99999"},
        {"[l1] ways = 4\n", ":1: text behind [section]"},
        {"[l1]\n= 4\n", ":2: l1.: no such key"},
        {"[l1]\nways = \x1b[2J\n", "l1.ways = ?[2J: must be"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config c = base_preset(), before = c;
        struct config_error e;
        if (config_from_text(&c, bad[i].text, strlen(bad[i].text), &e)) {
            fail_msg("accepted: %s", bad[i].text);
        }
        assert_contains(e.text, bad[i].message);
        assert_contains(e.text, CONFIG_TEXT_PATH);
        assert_one_line(&e);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

TEST(files_that_are_no_text_are_refused) {
    struct config c = base_preset();
    struct config_error e;
    char long_line[1000], *huge = calloc(1, 2 << 20);
    assert_false(config_from_text(&c, "[l1]\nways\0 = 4\n", 15, &e));
    assert_contains(e.text, "byte 9 is zero");
    memset(long_line, 'x', sizeof long_line);
    memcpy(long_line, "[l1]\nways = ", 12);
    assert_false(config_from_text(&c, long_line, sizeof long_line, &e));
    assert_contains(e.text, ":2: a line of 995 characters: must be at most");
    assert_one_line(&e);
    memset(huge, '\n', 2 << 20);
    assert_false(config_from_text(&c, huge, 2 << 20, &e));
    assert_contains(e.text, "more than 1048576 bytes");
    free(huge);
    char folder[] = "/tmp/warpmem_test_XXXXXX", path[64], text[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.ini", folder);
    snprintf(text, sizeof text, "%s: cannot be read: No such file", path);
    assert_false(config_file(&c, path, &e));
    assert_contains(e.text, text);
    assert_false(rmdir(folder));
    assert_false(config_file(&c, "/tmp", &e));
    assert_contains(e.text, "/tmp: cannot be read: Is a directory");
}

TEST(set_takes_one_key) {
    struct config c = base_preset();
    struct config_error e;
    assert_true(config_set(&c, "l1.ways=8", &e));
    assert_int_equal(c.l1.ways, 8);
    assert_true(config_set(&c, " l1.index = xor ", &e));
    assert_int_equal(c.l1.index, INDEX_XOR);
}

TEST(bad_settings_say_what_is_allowed) {
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "must be section.key=value"},
        {"l1.ways", "l1.ways: must be section.key=value"},
        {"ways=4", "ways=4: must be section.key=value"},
        {"l1ways=4.5", "must be section.key=value"},
        {"l1.ways=", "l1.ways = (nothing): must be 1..524288 ways"},
        {"l1.ways=four", "l1.ways = four: must be 1..524288 ways"},
        {"l1.wasy=4", "did you mean l1.ways?"},
        {"li.ways=4", "did you mean l1.ways?"},
        {"issue.scheduler=rr", "issue.scheduler = rr: must be lrr or gto"},
        {"l1.ways=4\n5", "l1.ways = 4?5: must be"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config c = base_preset(), before = c;
        struct config_error e;
        assert_false(config_set(&c, bad[i].text, &e));
        assert_contains(e.text, bad[i].message);
        assert_one_line(&e);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

TEST(ends_of_every_range_are_accepted_and_what_lies_beyond_is_not) {
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const struct config_key *k = config_key_at(i);
        struct config c = base_preset();
        char text[64], back[CONFIG_KEY_TEXT];
        if (k->kind != CONFIG_NUMBER) {
            continue;
        }
        snprintf(text, sizeof text, "%u", k->min);
        assert_true(config_value_put(&c, i, text));
        assert_string_equal(config_value_text(&c, i, back), text);
        snprintf(text, sizeof text, "%u", k->max);
        assert_true(config_value_put(&c, i, text));
        assert_string_equal(config_value_text(&c, i, back), text);
        snprintf(text, sizeof text, "%llu", k->max + 1ull);
        assert_false(config_value_put(&c, i, text));
        if (k->min) {
            snprintf(text, sizeof text, "%u", k->min - 1);
            assert_false(config_value_put(&c, i, text));
        }
    }
}

TEST(unknown_presets_are_named_with_the_near_one) {
    struct config c;
    struct config_error e;
    assert_false(config_preset(&c, "c2050s", &e));
    assert_contains(e.text, "preset c2050s: there is none of that name; did you mean c2050-s?");
    assert_false(config_preset(&c, "rtx\n", &e));
    assert_contains(
        e.text, "preset rtx?: there is none of that name; must be one of a100, c2050-l, c2050-s, "
                "gtx480-mdb, gtx480, gv100, h100, quadro-daws, quadro-owl, v100");
}

TEST(distances_count_letters) {
    assert_int_equal(text_distance("ways", "ways"), 0);
    assert_int_equal(text_distance("way", "ways"), 1);
    assert_int_equal(text_distance("wasy", "ways"), 1);
    assert_int_equal(text_distance("", "ways"), 4);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
}
