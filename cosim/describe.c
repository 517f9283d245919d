/* SPDX-License-Identifier: Apache-2.0
 *
 * A port list as text for the build. Compiled once a block with
 *   PORTS_H       the port list                   "l1/mrpb_ports.h"
 *   BLOCK, LIST   C name and the lists' prefix    mrpb, MRPB
 *
 *   describe sets          "paper -GQUEUES=48 -GDEPTH=8 ..." a line a parameter set
 *   describe params        "QUEUES 48 2 64" a line a parameter: default, least, most
 *   describe ports SET     "input enq_valid_i 1" a line a port; "output cnt_o 20 4": a vector of 4
 *   describe ports default the same for the default values, and "param QUEUES 48" lines
 *   describe table         "RTL_BLOCK(rtl_mrpb_paper)" a line a set, for cosim/rtl_table.c
 */
#include <stdio.h>
#include <string.h>

#include "base/block_define.h"
#include PORTS_H

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

typedef struct JOIN(BLOCK, _params) block_params;
typedef struct JOIN(BLOCK, _in) block_in;
typedef struct JOIN(BLOCK, _out) block_out;

enum { BLOCK_VALUES = sizeof(block_params) / sizeof(unsigned) };

static const struct param_desc params[] = {JOIN(LIST, _PARAMS)(PARAM_DESC)};
static const struct param_set sets[] = {JOIN(LIST, _SETS)(SET_DESC)};

enum {
    PARAMS = sizeof params / sizeof *params,
    SETS = sizeof sets / sizeof *sets,
    PORTS = 0 JOIN(LIST, _PORTS)(PORT_COUNT),
};

static void describe_ports(const block_params *p, struct port_desc *port) {
    (void)p;
    JOIN(LIST, _PORTS)(PORT_DESC)
}

static int print_ports(const unsigned *values) {
    block_params p;
    struct port_desc ports[PORTS];
    memcpy(&p, values, sizeof p);
    describe_ports(&p, ports);
    for (unsigned i = 0; i < PORTS; i++) {
        bool output = ports[i].direction == PORT_OUT;
        if (ports[i].bits == 0 || ports[i].count == 0 || ports[i].count > ports[i].capacity ||
            ports[i].bits > 8 * ports[i].type_size) {
            fprintf(stderr, "%s: %u x %u bits do not fit the C type of %s\n", PORTS_H,
                    ports[i].count, ports[i].bits, ports[i].name);
            return 2;
        }
        printf("%s %s_%c %u", output ? "output" : "input", ports[i].name, output ? 'o' : 'i',
               ports[i].bits * ports[i].count);
        printf(ports[i].shape == PORT_VECTOR ? " %u\n" : "\n", ports[i].count);
    }
    return 0;
}

static int print_default_ports(void) {
    unsigned values[BLOCK_VALUES] = {0};
    for (unsigned i = 0; i < PARAMS; i++) {
        values[i] = params[i].def;
        printf("param %s %u\n", params[i].name, params[i].def);
    }
    return print_ports(values);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    for (unsigned s = 0; s < SETS && strcmp(what, "table") == 0; s++) {
        printf("RTL_BLOCK(rtl_" TEXT(BLOCK) "_%s)\n", sets[s].name);
    }
    for (unsigned i = 0; i < PARAMS && strcmp(what, "params") == 0; i++) {
        printf("%s %u %u %u\n", params[i].name, params[i].def, params[i].min, params[i].max);
    }
    for (unsigned s = 0; s < SETS && strcmp(what, "sets") == 0; s++) {
        printf("%s", sets[s].name);
        for (unsigned i = 0; i < PARAMS; i++) {
            if (sets[s].values[i] < params[i].min || sets[s].values[i] > params[i].max) {
                fprintf(stderr, "%s: set %s: %s must be %u to %u\n", PORTS_H, sets[s].name,
                        params[i].name, params[i].min, params[i].max);
                return 2;
            }
            printf(" -G%s=%u", params[i].name, sets[s].values[i]);
        }
        printf("\n");
    }
    if (strcmp(what, "ports") == 0 && argc > 2) {
        if (strcmp(argv[2], "default") == 0) {
            return print_default_ports();
        }
        for (unsigned s = 0; s < SETS; s++) {
            if (strcmp(argv[2], sets[s].name) == 0) {
                return print_ports(sets[s].values);
            }
        }
        fprintf(stderr, "%s: no set %s\n", PORTS_H, argv[2]);
        return 2;
    }
    return 0;
}
