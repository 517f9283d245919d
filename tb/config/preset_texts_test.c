/* SPDX-License-Identifier: Apache-2.0
 *
 * Inheritance of presets and files, and its messages.
 */
#include "config/config_texts.h"

#include "config/files.h"
#include "config/keys.h"
#include "config/preset_texts.h"

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

/* If any line of a preset is missing, the inherited file or the row gives the key, or the message
 * names it. A line that repeats what is inherited has a source of its own. */
TEST(without_its_line_a_key_is_inherited_or_missing) {
    struct texts t;
    const char *name;
    unsigned missing = 0, inherited = 0;
    texts_init(&t);
    for (unsigned p = 0; (name = config_preset_name(p, NULL)); p++) {
        for (unsigned i = 0; i < CONFIG_KEYS; i++) {
            static struct preset_source own[CONFIG_KEYS], parents[CONFIG_KEYS];
            struct config c, without;
            struct config_error e;
            char key[2 * CONFIG_KEY_TEXT];
            assert_true(preset_parse(&c, own, t.all, name, &e));
            if (!own[i].file) {
                continue;
            }
            toggle_line(&t, &own[i]);
            if (preset_parse(&without, parents, t.all, name, &e)) {
                assert_true(!parents[i].file || strcmp(parents[i].file, own[i].file));
                if (config_key_same(&c, &without, i) && !own[i].place.note) {
                    fail_msg("%s.ini:%u repeats what it inherits", own[i].file, own[i].place.line);
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
    assert_true(missing > CONFIG_KEYS && inherited > CONFIG_KEYS / 2);
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

TEST(wrong_parents_are_named_with_file_and_line) {
    static const struct {
        const char *texts[12], *message;
    } bad[] = {
        {{"a ;\nbase = quadra\n", "quadro "},
         "preset a:2: base: preset quadra: there is none of that name; did you mean quadro?"},
        {{"a base = bananas\n", "[fermi] ", "quadro "},
         "preset a:1: base: preset bananas: there is none of that name; must be one of a, "
         "fermi, quadro"},
        {{"a base = a\n"}, "preset a:1: base = a: a inherits this file: must not be a circle"},
        {{"a base = b\n", "b ;\nbase = c\n", "[c] ;\n;\nbase = b\n"},
         "preset c:3: base = b: b inherits this file: must not be a circle"},
        {{"a base = b\nbase = c\n", "b ", "c "},
         "preset a:2: base: set twice, first in preset a:1"},
        {{"a [l1]\nbase = b\n", "b "}, "preset a:2: l1.base: no such key"},
        {{"a base =\n"}, "preset a:1: base = (nothing): must be a preset's name"},
        {{"a base = b\n", "b [l1]\nways = 0\n"}, "preset b:2: l1.ways = 0: must be 1..524288 ways"},
        {{"a base = b\n", "b [l1]\nways = 4\nways = 4\n"},
         "preset b:3: l1.ways: set twice, first in line 2"},
        {{"a base = b\n[l1]\nways = 4\n", "b [l1]\nways = 8\n"},
         "preset a: clock.core is missing: a preset gives or inherits every key"},
        {{"a base = b\n", "b base = c\n", "c base = d\n", "d base = e\n", "e base = f\n",
          "f base = g\n", "g base = h\n", "h base = i\n", "i "},
         "preset h:1: base = i: must be at most 8 files, one upon the other"},
        {{"[a] ", "b "}, "preset a: there is none of that name; did you mean b?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config_error e;
        assert_false(parse_texts(bad[i].texts, &e));
        assert_contains(e.text, bad[i].message);
        assert_one_line(&e);
    }
}

TEST(a_file_may_inherit_a_preset) {
    static const char text[] = "; mine\nbase = gtx480 ; not what was before\n[l1]\nways = 8\n";
    struct config c = base_preset(), want = named_preset("gtx480");
    struct config_error e;
    want.l1.ways = 8;
    assert_true(config_from_text(&c, text, sizeof text - 1, &e));
    assert_memory_equal(&c, &want, sizeof c);
}

TEST(files_upon_each_other_inherit_one_preset) {
    static const char *const text[] = {"base = gtx480\n[l1]\nways = 8\nsets = 16\n",
                                       "[l1]\nways = 2\n", "base = gtx480\n[l2]\nways = 4\n",
                                       "base = c2050-s\n"};
    struct config_layer l = {0}, before;
    struct config c = base_preset(), want = c;
    struct config_error e;
    char path[] = CONFIG_TEXT_PATH "XXXXXX";
    int fd = mkstemp(path);
    for (unsigned i = 0; i < 4; i++) {
        before = l;
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, text[i], strlen(text[i]), 0), strlen(text[i]));
        assert_int_equal(config_layer_file(&l, path, &e), i < 3);
    }
    close(fd);
    unlink(path);
    assert_contains(e.text, ":1: base = c2050-s: must be gtx480, as in " CONFIG_TEXT_PATH);
    assert_memory_equal(&l, &before, sizeof l);
    assert_string_equal(l.base, "gtx480");
    config_layer_apply(&l, &c);
    want.l1.ways = 2;
    want.l1.sets = 16;
    want.l2.ways = 4;
    assert_memory_equal(&c, &want, sizeof c);
}

TEST(every_value_of_a_preset_tells_its_file) {
    struct config c = named_preset("c2050-l");
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    c.l2.ways = 8;
    preset_print_sources(&c, "c2050-l", f);
    fclose(f);
    assert_contains(text, "[l1]\ncache             = on            ; default: the papers' GPUs");
    assert_contains(text, "\nways              = 6             ; c2050-l.ini:9: table 1\n");
    assert_contains(text, "\ncount             = 14            ; c2050-s.ini:");
    assert_contains(text, "\nint_add           = 4             ; fermi.ini:");
    assert_contains(text,
                    "\nways              = 8             ; scheme, part, --config or --set\n");
    free(text);
}

TEST(the_peers_machine_is_possible) {
    struct config_layer l = {0};
    struct config_error e;
    if (!config_layer_file(&l, "data/machines/accelsim-gtx480.ini", &e)) {
        fail_msg("%s", e.text);
    }
    struct config c = named_preset(l.base);
    config_layer_apply(&l, &c);
    assert_legal(&c);
    assert_true(c.issue.arbitration == ARBITRATION_ROTATING && c.dram.queue == 16);
}
