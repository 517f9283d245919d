/* SPDX-License-Identifier: Apache-2.0 */
#include "config/preset.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "config/keys.h"
#include "config/preset_texts.h"

/* config_file() of a text. */
static bool from_text(struct config *c, const void *text, size_t size, struct config_error *e) {
    char path[] = "/tmp/config_test_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, size), size);
    close(fd);
    bool good = config_file(c, path, e);
    unlink(path);
    return good;
}

static void assert_contains(const char *text, const char *part) {
    if (!strstr(text, part)) {
        fail_msg("\"%s\" is not in \"%s\"", part, text);
    }
}

static void assert_one_line(const struct config_error *e) {
    assert_true(strlen(e->text) < sizeof e->text - 1);
    for (const char *p = e->text; *p; p++) {
        assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
    }
}

static void every_preset_is_complete_and_possible(void **state) {
    (void)state;
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
    assert_int_equal(count, 6);
    assert_null(config_preset_name(count + 7, &about));
}

/* preset_texts, to be changed. */
struct texts {
    struct preset_text all[16];
    char *text[16];
};

static void texts_init(struct texts *t) {
    unsigned i = 0;
    for (; preset_texts[i].name; i++) {
        assert_true(i < 15);
        t->text[i] = malloc(preset_texts[i].size);
        t->all[i] = preset_texts[i];
        t->all[i].text = (unsigned char *)t->text[i];
        memcpy(t->text[i], preset_texts[i].text, preset_texts[i].size);
    }
    t->all[i] = (struct preset_text){0};
}

static void texts_free(struct texts *t) {
    for (unsigned i = 0; t->all[i].name; i++) {
        free(t->text[i]);
    }
}

/* Makes the line a comment, or again what it was. */
static void toggle_line(struct texts *t, const struct preset_source *s) {
    static char kept;
    unsigned i = 0;
    while (strcmp(t->all[i].name, s->file)) {
        i++;
    }
    char *at = t->text[i];
    for (unsigned line = 1; line < s->place.line; line++) {
        at = strchr(at, '\n') + 1;
    }
    char now = *at;
    *at = now == ';' ? kept : ';';
    kept = now;
}

/* Whatever line of a preset is missing: the file that it inherits gives the key, or the message
 * names it. A line that repeats what is inherited has a source of its own. */
static void without_its_line_a_key_is_inherited_or_missing(void **state) {
    (void)state;
    struct texts t;
    const char *name;
    unsigned missing = 0, inherited = 0;
    texts_init(&t);
    for (unsigned p = 0; (name = config_preset_name(p, NULL)); p++) {
        for (unsigned i = 0; i < CONFIG_KEYS; i++) {
            struct preset_source own[CONFIG_KEYS], parents[CONFIG_KEYS];
            struct config c, without;
            struct config_error e;
            char key[2 * CONFIG_KEY_TEXT];
            assert_true(preset_parse(&c, own, t.all, name, &e));
            toggle_line(&t, &own[i]);
            if (preset_parse(&without, parents, t.all, name, &e)) {
                assert_string_not_equal(parents[i].file, own[i].file);
                if (config_key_same(&c, &without, i) && !own[i].place.note) {
                    fail_msg("%s.ini:%u repeats %s.ini:%u", own[i].file, own[i].place.line,
                             parents[i].file, parents[i].place.line);
                }
                inherited++;
            } else {
                snprintf(key, sizeof key, "preset %s: %s.%s is missing", name,
                         config_key_section(i), config_key_at(i)->name);
                assert_contains(e.text, key);
                missing++;
            }
            toggle_line(&t, &own[i]);
        }
    }
    texts_free(&t);
    assert_true(missing > CONFIG_KEYS && inherited > 0);
}

/* "NAME TEXT": a preset; in brackets: a parent alone. */
static bool parse_texts(const char *const *texts, struct config_error *e) {
    struct preset_text all[12] = {{0}};
    char names[12][16];
    struct config c;
    unsigned i = 0;
    for (; texts[i]; i++) {
        bool parent = *texts[i] == '[';
        const char *text = strchr(texts[i], ' ') + 1;
        assert_int_equal(sscanf(texts[i] + parent, "%15[a-z]", names[i]), 1);
        all[i] =
            (struct preset_text){names[i], "", (const unsigned char *)text, strlen(text), !parent};
    }
    return preset_parse(&c, NULL, all, "a", e);
}

static void wrong_parents_are_named_with_file_and_line(void **state) {
    (void)state;
    static const struct {
        const char *texts[12], *message;
    } bad[] = {
        {{"a ;\ninherit = quadra\n", "quadro "},
         "preset a:2: inherit: preset quadra: there is none of that name; did you mean quadro?"},
        {{"a inherit = bananas\n", "[fermi] ", "quadro "},
         "preset a:1: inherit: preset bananas: there is none of that name; must be one of a, "
         "fermi, quadro"},
        {{"a inherit = a\n"},
         "preset a:1: inherit = a: a inherits this file: must not be a circle"},
        {{"a inherit = b\n", "b ;\ninherit = c\n", "[c] ;\n;\ninherit = b\n"},
         "preset c:3: inherit = b: b inherits this file: must not be a circle"},
        {{"a inherit = b\ninherit = c\n", "b ", "c "},
         "preset a:2: inherit: set twice, first in preset a:1"},
        {{"a [l1]\ninherit = b\n", "b "}, "preset a:2: l1.inherit: no such key"},
        {{"a inherit =\n"}, "preset a:1: inherit = (nothing): must be a preset's name"},
        {{"a inherit = b\n", "b [l1]\nways = 0\n"},
         "preset b:2: l1.ways = 0: must be 1..524288 ways"},
        {{"a inherit = b\n", "b [l1]\nways = 4\nways = 4\n"},
         "preset b:3: l1.ways: set twice, first in line 2"},
        {{"a inherit = b\n[l1]\nways = 4\n", "b [l1]\nways = 8\n"},
         "preset a: clock.core is missing: a preset gives or inherits every key"},
        {{"a inherit = b\n", "b inherit = c\n", "c inherit = d\n", "d inherit = e\n",
          "e inherit = f\n", "f inherit = g\n", "g inherit = h\n", "h inherit = i\n", "i "},
         "preset h:1: inherit = i: must be at most 8 files, one upon the other"},
        {{"[a] ", "b "}, "preset a: there is none of that name; did you mean b?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config_error e;
        assert_false(parse_texts(bad[i].texts, &e));
        assert_contains(e.text, bad[i].message);
        assert_one_line(&e);
    }
}

static void a_file_may_inherit_a_preset(void **state) {
    (void)state;
    static const char text[] = "; mine\ninherit = gtx480 ; not what was before\n[l1]\nways = 8\n";
    struct config c = preset(), want = named_preset("gtx480");
    struct config_error e;
    want.l1.ways = 8;
    assert_true(from_text(&c, text, sizeof text - 1, &e));
    assert_memory_equal(&c, &want, sizeof c);
}

static void files_upon_each_other_inherit_one_preset(void **state) {
    (void)state;
    static const char *const text[] = {"inherit = gtx480\n[l1]\nways = 8\nsets = 16\n",
                                       "[l1]\nways = 2\n", "inherit = gtx480\n[l2]\nways = 4\n",
                                       "inherit = c2050-s\n"};
    struct config_layer l = {0}, before;
    struct config c = preset(), want = c;
    struct config_error e;
    char path[] = "/tmp/config_test_XXXXXX";
    int fd = mkstemp(path);
    for (unsigned i = 0; i < 4; i++) {
        before = l;
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, text[i], strlen(text[i]), 0), strlen(text[i]));
        assert_int_equal(config_layer_file(&l, path, &e), i < 3);
    }
    close(fd);
    unlink(path);
    assert_contains(e.text, ":1: inherit = c2050-s: must be gtx480, as in /tmp/config_test_");
    assert_memory_equal(&l, &before, sizeof l);
    assert_string_equal(l.parent, "gtx480");
    config_layer_apply(&l, &c);
    want.l1.ways = 2;
    want.l1.sets = 16;
    want.l2.ways = 4;
    assert_memory_equal(&c, &want, sizeof c);
}

static void every_value_of_a_preset_tells_its_file(void **state) {
    (void)state;
    struct config c = named_preset("c2050-l");
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    c.l2.ways = 8;
    preset_print_sources(&c, "c2050-l", f);
    fclose(f);
    assert_contains(text, "[l1]\ncache             = on            ; defaults.ini:");
    assert_contains(text, "\nways              = 6             ; c2050-l.ini:9: table 1\n");
    assert_contains(text, "\ncount             = 14            ; c2050-s.ini:");
    assert_contains(text, "\nint_add           = 4             ; fermi.ini:");
    assert_contains(text,
                    "\nways              = 8             ; scheme, part, --config or --set\n");
    free(text);
}

static uint64_t fnv(uint64_t hash, const char *section, const char *key, const char *value) {
    char text[256];
    snprintf(text, sizeof text, "%s.%s=%s\n", section, key, value);
    for (const char *p = text; *p; p++) {
        hash = (hash ^ (unsigned char)*p) * UINT64_C(1099511628211);
    }
    return hash;
}

/* The same over what is printed, read back by other means. */
static void the_hash_is_fnv_1a_over_the_printed_values(void **state) {
    (void)state;
    struct config c = preset();
    char line[512], section[64] = "", key[64], value[64];
    uint64_t hash = UINT64_C(14695981039346656037);
    FILE *f = tmpfile();
    config_print(&c, f);
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "[%63[a-z0-9]]", section) != 1 &&
            sscanf(line, "%63s = %63s", key, value) == 2) {
            hash = fnv(hash, section, key, value);
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

static void every_key_changes_the_hash(void **state) {
    (void)state;
    struct config c = preset();
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
static void what_is_printed_reads_back_the_same(void **state) {
    (void)state;
    const char *name;
    for (unsigned p = 0; (name = config_preset_name(p, NULL)); p++) {
        struct config c, back;
        struct config_error e;
        char *text;
        size_t size;
        assert_true(config_preset(&c, name, &e) && config_set(&c, "l1.mrpb=on", &e));
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
        if (!from_text(&back, text, size, &e)) {
            fail_msg("%s: %s", name, e.text);
        }
        assert_memory_equal(&c, &back, sizeof c);
        free(text);
    }
}

static void a_file_may_be_indented_commented_and_end_without_newline(void **state) {
    (void)state;
    static const char text[] =
        "\xef\xbb\xbf; BOM and comment\r\n\r\n[l1] ; here\r\n   ways = 8 ; and "
        "here\r\n\tsets:64\r\n# done\r\n[l2]\nways=4";
    struct config c = preset();
    struct config_error e;
    if (!from_text(&c, text, sizeof text - 1, &e)) {
        fail_msg("%s", e.text);
    }
    assert_int_equal(c.l1.ways, 8);
    assert_int_equal(c.l1.sets, 64);
    assert_int_equal(c.l2.ways, 4);
    assert_true(from_text(&c, "", 0, &e));
}

static void bad_files_are_named_with_line_and_what_is_allowed(void **state) {
    (void)state;
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
        {"[l1]\nindex = hash\n", ":2: l1.index = hash: must be modulo or xor or fermi"},
        {"[l1]\nindex = 1\n", "l1.index = 1: must be modulo or xor or fermi"},
        {"[l1]\nindex = mod\n", "l1.index = mod: must be modulo or xor or fermi"},
        {"\n\n[l1]\nway = 4\n", ":4: l1.way: no such key; did you mean l1.ways?"},
        {"[l1]\nmsrhs = 4\n", "did you mean l1.mshrs?"},
        {"[l1]\nrop_latency = 4\n", "did you mean l2.rop_latency?"},
        {"[l1]\nbananas = 4\n", "l1.bananas: no such key; `warpmem config show"},
        {"[l3]\nways = 4\n", ":2: [l3]: no such section; did you mean [l1]?"},
        {"[bananas]\nways = 4\n", "no such section; there are clock, core,"},
        {"ways = 4\n", ":1: ways: stands before the first [section], where only inherit = PRESET"},
        {"inherit = gtx\n",
         ":1: inherit: preset gtx: there is none of that name; must be one of c2"},
        {";\ninherit = fermi\n", ":2: inherit: preset fermi: there is none of that name"},
        {"inherit = gtx480\ninherit = gtx480\n", ":2: inherit: set twice, first in /tmp/config_"},
        {"inherit = gtx480\n[l1]\nways = 0\n", ":3: l1.ways = 0: must be 1..524288 ways"},
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
        struct config c = preset(), before = c;
        struct config_error e;
        if (from_text(&c, bad[i].text, strlen(bad[i].text), &e)) {
            fail_msg("accepted: %s", bad[i].text);
        }
        assert_contains(e.text, bad[i].message);
        assert_contains(e.text, "/tmp/config_test_");
        assert_one_line(&e);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

static void files_that_are_no_text_are_refused(void **state) {
    (void)state;
    struct config c = preset();
    struct config_error e;
    char long_line[1000], *huge = calloc(1, 2 << 20);
    assert_false(from_text(&c, "[l1]\nways\0 = 4\n", 15, &e));
    assert_contains(e.text, "byte 9 is zero");
    memset(long_line, 'x', sizeof long_line);
    memcpy(long_line, "[l1]\nways = ", 12);
    assert_false(from_text(&c, long_line, sizeof long_line, &e));
    assert_contains(e.text, ":2: a line of 995 characters: must be at most");
    assert_one_line(&e);
    memset(huge, '\n', 2 << 20);
    assert_false(from_text(&c, huge, 2 << 20, &e));
    assert_contains(e.text, "more than 1048576 bytes");
    free(huge);
    assert_false(config_file(&c, "/nonexistent/x.ini", &e));
    assert_contains(e.text, "/nonexistent/x.ini: cannot be read: No such file");
    assert_false(config_file(&c, "/tmp", &e));
    assert_contains(e.text, "/tmp: cannot be read: Is a directory");
}

static void set_takes_one_key(void **state) {
    (void)state;
    struct config c = preset();
    struct config_error e;
    assert_true(config_set(&c, "l1.ways=8", &e));
    assert_int_equal(c.l1.ways, 8);
    assert_true(config_set(&c, " l1.index = xor ", &e));
    assert_int_equal(c.l1.index, INDEX_XOR);
}

static void bad_settings_say_what_is_allowed(void **state) {
    (void)state;
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
        struct config c = preset(), before = c;
        struct config_error e;
        assert_false(config_set(&c, bad[i].text, &e));
        assert_contains(e.text, bad[i].message);
        assert_one_line(&e);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

static void ends_of_every_range_are_accepted_and_what_lies_beyond_is_not(void **state) {
    (void)state;
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const struct config_key *k = config_key_at(i);
        struct config c = preset();
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

static void unknown_presets_are_named_with_the_near_one(void **state) {
    (void)state;
    struct config c;
    struct config_error e;
    assert_false(config_preset(&c, "c2050s", &e));
    assert_contains(e.text, "preset c2050s: there is none of that name; did you mean c2050-s?");
    assert_false(config_preset(&c, "rtx\n", &e));
    assert_contains(
        e.text,
        "preset rtx?: there is none of that name; must be one of c2050-l, c2050-s, gtx480-mdb, "
        "gtx480, quadro-daws, quadro-owl");
}

static void distances_count_letters(void **state) {
    (void)state;
    assert_int_equal(text_distance("ways", "ways"), 0);
    assert_int_equal(text_distance("way", "ways"), 1);
    assert_int_equal(text_distance("wasy", "ways"), 1);
    assert_int_equal(text_distance("", "ways"), 4);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_is_complete_and_possible),
        cmocka_unit_test(without_its_line_a_key_is_inherited_or_missing),
        cmocka_unit_test(wrong_parents_are_named_with_file_and_line),
        cmocka_unit_test(a_file_may_inherit_a_preset),
        cmocka_unit_test(files_upon_each_other_inherit_one_preset),
        cmocka_unit_test(every_value_of_a_preset_tells_its_file),
        cmocka_unit_test(the_hash_is_fnv_1a_over_the_printed_values),
        cmocka_unit_test(every_key_changes_the_hash),
        cmocka_unit_test(what_is_printed_reads_back_the_same),
        cmocka_unit_test(a_file_may_be_indented_commented_and_end_without_newline),
        cmocka_unit_test(bad_files_are_named_with_line_and_what_is_allowed),
        cmocka_unit_test(files_that_are_no_text_are_refused),
        cmocka_unit_test(set_takes_one_key),
        cmocka_unit_test(bad_settings_say_what_is_allowed),
        cmocka_unit_test(ends_of_every_range_are_accepted_and_what_lies_beyond_is_not),
        cmocka_unit_test(unknown_presets_are_named_with_the_near_one),
        cmocka_unit_test(distances_count_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
