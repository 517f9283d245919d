/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of a machine by sections, in the order in which they are printed: a key's row has all
 * that the program knows of it. A file may include this list several times; before it, it defines
 * the macros of the rows that it wants, or ROW for those without a macro of their own; the others
 * expand to nothing.
 *
 *   U(key, least, most, "unit", "meaning", D(...))        an unsigned number
 *   P(key, least, most, "unit", "meaning", D(...))        one that is a power of two
 *   E(key, V(CONSTANT, "word") ..., "meaning", D(...))    a choice: each value's constant in code,
 *                                                         and its word in files
 *   S(key, V(CONSTANT, "word") ..., "meaning", D(...))    a choice whose constants another row has
 *   T(key, "meaning", D(...))                             a text without blanks
 *
 * D(value, "source") is the default. A key without one has its value from each preset. Sources are:
 *
 *   simulator   GPGPU-Sim: the configurations of the presets' GPUs in the releases that the papers
 *               name agree; where one differs, its preset says so
 *   a section   of the paper that the head of the file names
 *   chosen      neither says it; the reason follows
 *
 * IDLE_WHILE(condition on struct config *c, "reason") begins keys that change nothing while the
 * condition holds; IDLE_END ends them. The reason follows "changes nothing while".
 */
/* clang-format off */

#ifndef SECTION
#define SECTION(name)
#endif
#ifndef END
#define END(name)
#endif
#ifndef IDLE_WHILE
#define IDLE_WHILE(condition, reason)
#define IDLE_END
#endif
#ifndef ROW
#define ROW(...)
#endif
#ifndef U
#define U(...) ROW(__VA_ARGS__)
#endif
#ifndef P
#define P(...) ROW(__VA_ARGS__)
#endif
#ifndef E
#define E(...) ROW(__VA_ARGS__)
#endif
#ifndef S
#define S(...) ROW(__VA_ARGS__)
#endif
#ifndef T
#define T(...) ROW(__VA_ARGS__)
#endif

#include "config/keys/clock.h"
#include "config/keys/core.h"
#include "config/keys/issue.h"
#include "config/keys/owl.h"
#include "config/keys/ccws.h"
#include "config/keys/daws.h"
#include "config/keys/alu.h"
#include "config/keys/l1.h"
#include "config/keys/texture.h"
#include "config/keys/constant.h"
#include "config/keys/mrpb.h"
#include "config/keys/mdb.h"
#include "config/keys/pdp.h"
#include "config/keys/noc.h"
#include "config/keys/l2.h"
#include "config/keys/dram.h"
#include "config/keys/medic.h"
#include "config/keys/pcal.h"
#include "config/keys/rand.h"
#include "config/keys/pcbyp.h"
#include "config/keys/eaf.h"

#undef SECTION
#undef END
#undef IDLE_WHILE
#undef IDLE_END
#undef ROW
#undef U
#undef P
#undef E
#undef S
#undef T
#undef V
#undef D
