/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/json_build.h"

void set_member(json_t **to, const char *name, json_t *value) {
    if (json_object_set_new(*to, name, value)) {
        json_decref(*to);
        *to = NULL;
    }
}

void append_element(json_t **to, json_t *value) {
    if (json_array_append_new(*to, value)) {
        json_decref(*to);
        *to = NULL;
    }
}
