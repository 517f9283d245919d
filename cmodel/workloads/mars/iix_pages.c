/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/mars/iix_pages.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "workloads/host.h"

#define KINDS 17       /* records with as many links as in the sample's */
#define LINKS_MAX 7    /* of a record */
#define LINKS 1024     /* different ones, of which the first are met far more often than the last */
#define LINK_BYTES 64  /* at most, with its tag */
#define COLUMNS 72     /* where a line is broken */
#define LONG_LINE 1832 /* at least, of one record in KINDS */
#define SHORT_LINE 131 /* behind the block, of the others: less than this */

static unsigned below(uint64_t *state, unsigned n) {
    return (unsigned)(host_random(state) >> 32) % n;
}

/* Letters of a word that is always the same for the same number. */
static unsigned word(char *to, unsigned number, unsigned least, unsigned most) {
    uint64_t state = number;
    const unsigned length = least + below(&state, most - least + 1);
    for (unsigned i = 0; i < length; i++) {
        to[i] = (char)('a' + below(&state, 26));
    }
    to[length] = 0;
    return length;
}

/* Its address has 19 to 31 bytes, 25 on average; one in 8 is written with spaces. */
static void make_link(char *to, uint64_t *state) {
    static const char *const tags[] = {"<a href=\"", "< a href=\"", "<a  href=\"", "<a href = \""};
    char name[16];
    const float popular = host_uniform(state);
    const unsigned form = below(state, 8) == 0 ? 1 + below(state, 3) : 0;
    word(name, (unsigned)(popular * popular * LINKS), 3, 15);
    snprintf(to, LINK_BYTES, "%shttp://www.%s.com/\">", tags[form], name);
}

/* Text and tags, none of which is a link, though some look like one for a while. */
static unsigned make_filler(char *to, uint64_t *state) {
    static const char *const tags[] = {
        "<p>",  "<b>",   "</b> ", "<br>",           "<td>",         "</td>",       "</a> ",
        "<li>", "<i>",   "</i> ", "</table> ",      "<em> ",        "</em> ",      "<tr><td>",
        "<tr>", "</tr>", "<h1>",  "<a name=\"x\">", "<a href=top>", "<a hidden> ", "<abbr>"};
    if (below(state, 12) == 0) {
        const char *tag = tags[below(state, sizeof tags / sizeof *tags)];
        strcpy(to, tag);
        return (unsigned)strlen(tag);
    }
    const unsigned length = word(to, below(state, 4096), 2, 9);
    strcpy(to + length, " ");
    return length + 1;
}

/* Makes a record of @bytes, with the newline at its end, and with newlines between words in the
 * block only. The links stand behind @before[i] bytes of filler. */
static void make_record(char *to, unsigned bytes, uint64_t *state) {
    static const uint8_t links_of[KINDS] = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7};
    char link[LINKS_MAX][LINK_BYTES];
    unsigned before[LINKS_MAX], placed = 0, column = 0, at = 0, filler = bytes - 1;
    const unsigned links = links_of[below(state, KINDS)];
    for (unsigned i = 0; i < links; i++) {
        make_link(link[i], state);
        filler -= (unsigned)strlen(link[i]);
    }
    for (unsigned i = 0; i < links; i++) {
        before[i] = (filler - 16) / links * i + below(state, (filler - 16) / links);
    }
    for (unsigned done = 0; done < filler;) {
        char piece[LINK_BYTES];
        if (placed < links && done >= before[placed]) {
            const unsigned length = (unsigned)strlen(link[placed]);
            memcpy(to + at, link[placed++], length);
            at += length;
            continue;
        }
        unsigned length = make_filler(piece, state);
        if (length >= filler - done) {
            length = filler - done;
            memset(piece, 'x', length);
        }
        column += length;
        if (column > COLUMNS && at + length < IIX_BLOCK && piece[length - 1] == ' ') {
            piece[length - 1] = '\n';
            column = 0;
        }
        memcpy(to + at, piece, length);
        at += length;
        done += length;
    }
    assert(placed == links && at == bytes - 1);
    to[at] = '\n';
}

size_t iix_pages_generate(char *text, unsigned records, uint64_t *state) {
    size_t at = 0;
    for (unsigned i = 0; i < records; i++) {
        const unsigned line = below(state, KINDS) == 0
                                  ? LONG_LINE + below(state, IIX_RECORD_MAX - IIX_BLOCK - LONG_LINE)
                                  : below(state, SHORT_LINE);
        make_record(text + at, IIX_BLOCK + 1 + line, state);
        at += IIX_BLOCK + 1 + line;
    }
    return at;
}
