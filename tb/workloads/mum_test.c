/* SPDX-License-Identifier: Apache-2.0
 *
 * ISPASS-2009 MUM: the suffix tree against the text's suffixes, the matches against a plain search,
 * and what the accesses look like.
 */
#include "workloads/ispass/mum.h"
#include "workloads/ispass/suffix_tree.h"
#include "workloads/rodinia_records.h"

#include "workloads/access_record.h"

enum { TEXT_MAX = 400, NODES_MAX = 2 * TEXT_MAX + 2 };

/* --- The suffix tree. --- */

struct tree_check {
    const struct suffix_tree *tree;
    const char *text;
    int32_t length;
    unsigned leaves;
    int32_t depth[NODES_MAX], begin[NODES_MAX]; /* the string above a node: text[begin ..] */
    bool is_suffix[TEXT_MAX + 1];
};

static void visit_node(struct tree_check *c, int32_t at) {
    const struct suffix_node *n = &c->tree->node[at];
    unsigned children = 0;
    for (unsigned s = 0; s < SUFFIX_SYMBOLS; s++) {
        const int32_t to = n->child[s];
        if (!to) {
            continue;
        }
        const struct suffix_node *child = &c->tree->node[to];
        children++;
        assert_true(to > at && to < (int32_t)c->tree->count); /* level by level */
        assert_true(child->start <= child->end && child->end <= c->length);
        assert_int_equal(suffix_symbol(c->text[child->start]), s);
        c->depth[to] = c->depth[at] + child->end - child->start + 1;
        c->begin[to] = child->end + 1 - c->depth[to];
        assert_true(c->begin[to] >= 0);
        /* The label is the parent's and the edge's. */
        assert_memory_equal(c->text + c->begin[to], c->text + c->begin[at], (size_t)c->depth[at]);
        visit_node(c, to);
    }
    if (children == 0) {
        assert_int_equal(n->end, c->length);
        assert_false(c->is_suffix[c->begin[at]]);
        c->is_suffix[c->begin[at]] = true;
        c->leaves++;
        return;
    }
    assert_true(children >= 2 || at == SUFFIX_ROOT);
}

/* Suffix links, once all depths are known. */
static void check_links(const struct tree_check *c) {
    for (int32_t i = SUFFIX_ROOT + 1; i < (int32_t)c->tree->count; i++) {
        const int32_t link = c->tree->node[i].link;
        if (c->tree->node[i].end == c->length) {
            assert_int_equal(link, 0);
        } else {
            assert_int_equal(c->depth[link], c->depth[i] - 1);
            assert_memory_equal(c->text + c->begin[link], c->text + c->begin[i] + 1,
                                (size_t)c->depth[link]);
        }
    }
    assert_int_equal(c->tree->node[SUFFIX_ROOT].link, SUFFIX_ROOT);
}

static void check_tree(const char *text, uint32_t length) {
    struct suffix_tree tree;
    static struct tree_check c;
    assert_true(suffix_tree_build(&tree, text, length));
    c = (struct tree_check){.tree = &tree, .text = text, .length = (int32_t)length};
    visit_node(&c, SUFFIX_ROOT);
    assert_int_equal(c.leaves, length + 1);
    check_links(&c);
    suffix_tree_free(&tree);
}

TEST(the_tree_has_a_leaf_for_each_suffix_and_right_links) {
    uint64_t seed = 1;
    check_tree("$", 0);
    check_tree("A$", 1);
    check_tree("AAAAAAAAAA$", 10);
    check_tree("ACACACGACACACT$", 14);
    for (unsigned symbols = 1; symbols <= 4; symbols++) {
        for (unsigned length = 1; length <= TEXT_MAX; length += 57) {
            char text[TEXT_MAX + 1];
            for (unsigned i = 0; i < length; i++) {
                text[i] = "ACGT"[host_random(&seed) % symbols];
            }
            text[length] = '$';
            check_tree(text, length);
        }
    }
}

/* --- The textures. --- */

/* A line is 32 bytes by 4 rows, a group of 512 bytes 64 by 8, and no texel is where another is. */
TEST(neighbours_in_a_texture_share_a_line) {
    for (unsigned bytes = 1; bytes <= 16; bytes *= 2) {
        const struct texture t = texture_of(70, 19, bytes);
        static bool taken[128 * 32];
        memset(taken, 0, sizeof taken);
        assert_int_equal(t.width * bytes, (70 * bytes + 63) / 64 * 64);
        assert_int_equal(t.height, 32);
        for (unsigned y = 0; y < t.height; y++) {
            for (unsigned x = 0; x < t.width; x++) {
                const unsigned at = (unsigned)texture_at(&t, x, y);
                const unsigned in_line =
                    (unsigned)texture_at(&t, x * bytes / 32 * 32 / bytes, y & ~3u);
                const unsigned in_group =
                    (unsigned)texture_at(&t, x * bytes / 64 * 64 / bytes, y & ~7u);
                assert_true(at < t.width * t.height && !taken[at]);
                taken[at] = true;
                assert_int_equal(at * bytes / 128, in_line * bytes / 128);
                assert_int_equal(at * bytes / 512, in_group * bytes / 512);
            }
        }
    }
}

/* A block is a column of groups, as high as the texture up to 16 of them; then the next column. */
TEST(groups_of_a_texture_stand_in_columns) {
    static const struct {
        unsigned height, rows;
    } cases[] = {{1, 8}, {8, 8}, {9, 16}, {32, 32}, {128, 128}, {704, 128}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct texture t = texture_of(4096, cases[i].height, 16);
        assert_int_equal(t.block_rows, cases[i].rows);
        assert_int_equal(t.width, 4096);
        assert_int_equal(texture_at(&t, 0, cases[i].rows - 8) * 16, 512 * (cases[i].rows / 8 - 1));
        assert_int_equal(texture_at(&t, 4, 0) * 16, 512 * (cases[i].rows / 8));
    }
    const struct texture high = texture_of(4096, 704, 16);
    assert_int_equal(high.height, 768);
    assert_int_equal(texture_at(&high, 0, 128), 128 * 4096);
}

/* --- The program. --- */

TEST(mum_launches_are_the_suites) {
    struct shape s;
    assert_int_equal(launch_shapes("mum", SIZE_PAPER_OWL, &s, 1), 1);
    is_shape(&s, 196, 1, 256, 1);
}

struct seen {
    unsigned wide, queries, texels, lanes, ops;
    uint64_t query_lines;
};

/* Loads of bytes of queries: the first of a thread, the first of an edge, the next. */
static void see_mum(void *self, const struct place *at) {
    struct seen *s = self;
    const struct insn *i = at->op->insn;
    const unsigned lanes = record_lanes(at);
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, 0)) {
        s->queries += lanes;
    }
    if (i->op == OP_LOAD && i->space == SPACE_TEXTURE) {
        s->texels += lanes;
        s->lanes += lanes;
        s->ops++;
    }
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, 2) && lanes == WARP_SIZE) {
        uint64_t address[WARP_SIZE];
        bool apart = true;
        warp_op_addresses(at->op, address);
        for (unsigned l = 1; l < WARP_SIZE; l++) {
            apart &= address[l] - address[l - 1] == 27;
        }
        s->wide += apart;
        s->query_lines += apart ? record_lines(at) : 0;
    }
}

TEST(queries_are_seven_lines_a_load_and_50_texels_each) {
    struct program p;
    struct seen s = {0};
    records_open("mum", &p, SIZE_TINY);
    const struct mum *k = p.self;
    assert_int_equal(records_run(&p, (struct run_order){.skipped = -1}, see_mum, &s), 1);
    const double lines = (double)s.query_lines / s.wide;
    const double texels = (double)s.texels / k->queries;
    print_message("mum: %.2f lines a load of queries, %.1f texels a query, %.1f lanes\n", lines,
                  texels, (double)s.lanes / s.ops);
    assert_int_equal(s.queries, k->queries);
    assert_true(s.wide >= k->queries / WARP_SIZE); /* from the first start on, at least */
    assert_true(lines > 7.4 && lines < 7.7);       /* 1 + 31 * 27 / 128 = 7.54 */
    assert_true(texels > 20 && texels < 60);
    assert_true(s.lanes < 24 * s.ops); /* divergent */
    workload_close(workload_find("mum"), &p);
}

/* A query's bases from @start on are in the reference exactly if there is a match. */
TEST(matches_are_where_a_plain_search_finds_twenty_bases) {
    struct program p;
    unsigned found = 0, whole = 0;
    records_open("mum", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    const struct mum *k = p.self;
    char *text = calloc(k->length + 1, 1);
    for (int32_t i = 0; i < (int32_t)k->length; i++) {
        text[i] = ((const char *)k->reference.data)[mum_base_at(k, i)];
    }
    for (uint32_t q = 0; q < k->queries; q++) {
        const char *query = (const char *)k->query.data + q * 27 + 1;
        const struct mum_match *match = k->match.data;
        bool any = false;
        for (unsigned start = 0; start < MUM_STARTS; start++) {
            char twenty[MUM_MATCH_MIN + 1] = {0};
            memcpy(twenty, query + start, MUM_MATCH_MIN);
            const bool there = strstr(text, twenty) != NULL;
            assert_int_equal(match[1 + 6 * q + start].node != 0, there);
            any |= there;
        }
        found += any;
        whole += strstr(text, query) != NULL;
    }
    print_message("of %u queries %u match, %u wholly\n", k->queries, found, whole);
    /* 27 % are from the reference, of the others none by chance. */
    assert_true(whole > k->queries * 0.24 && whole < k->queries * 0.30);
    assert_int_equal(found, whole);
    free(text);
    workload_close(workload_find("mum"), &p);
}

TEST(mum_wrong_results_are_seen) {
    static const unsigned bytes[] = {0, 8 * 17, 8 * 17 + 4, 8 * 17 + 7};
    for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        expect_wrong_bit_seen("mum", 6, bytes[i], bytes[i] ? "match[17] " : "match[0] ");
    }
    expect_left_out_seen("mum", 0);
    expect_any_order("mum");
}
