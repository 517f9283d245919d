/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/graph.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/errors.h"
#include "cuda/graph_memory.h"

/* Numbers of cudaGraphNodeType. */
enum node_type {
    NODE_KERNEL,
    NODE_COPY,
    NODE_FILL,
    NODE_FUNCTION,
    NODE_GRAPH,
    NODE_EMPTY,
    NODE_ALLOCATION = 10,
    NODE_RELEASE
};

struct node {
    enum node_type type;
    struct node *origin; /* in the graph that this one's graph is a copy of */
    struct node **after; /* the nodes that it waits for */
    size_t after_count;
    bool done; /* while an order is made */
    struct copy copy;
    struct launch_call launch; /* its arguments are one block of memory */
    void (*function)(void *);
    void *data;
    struct graph *child;
    struct graph_memory *memory; /* that the node allocates */
    void *released;
};

struct graph {
    struct node **nodes;
    size_t count;
    bool frees_first; /* what its last run has left */
    enum { GRAPH_COMPLETE, GRAPH_CAPTURED, GRAPH_INVALID } state;
};

/* --- nodes --- */

static void destroy_graph(struct graph *g);

static void destroy_node(struct node *n) {
    if (n->child) {
        destroy_graph(n->child);
    }
    if (n->memory) {
        graph_memory_drop(n->memory);
    }
    free(n->after);
    free(n->launch.arguments);
    free(n);
}

static void destroy_graph(struct graph *g) {
    for (size_t i = 0; i < g->count; i++) {
        destroy_node(g->nodes[i]);
    }
    free(g->nodes);
    free(g);
}

static struct node *add_node(struct graph *g, enum node_type type) {
    struct node **grown = realloc(g->nodes, (g->count + 1) * sizeof *grown);
    struct node *n = calloc(1, sizeof *n);
    g->nodes = grown ? grown : g->nodes;
    if (!grown || !n) {
        free(n);
        return NULL;
    }
    n->type = type;
    g->nodes[g->count++] = n;
    return n;
}

static bool add_dependency(struct node *n, struct node *on) {
    struct node **grown = realloc(n->after, (n->after_count + 1) * sizeof *grown);
    if (grown) {
        n->after = grown;
        n->after[n->after_count++] = on;
    }
    return grown;
}

/* The pointers, and behind them the values. */
static bool keep_arguments(struct launch_call *to, const struct launch_call *from) {
    const uint32_t *sizes = from->kernel->sizes, count = sizes ? *sizes : 0;
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += (sizes[i + 1] + 15) / 16 * 16;
    }
    const size_t pointers = (count * sizeof(void *) + 15) / 16 * 16;
    char *block = malloc(pointers + bytes + 1), *at = block + pointers;
    if (!block) {
        return false;
    }
    free(to->arguments);
    *to = *from;
    to->arguments = (void **)(void *)block;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(at, from->arguments[i], sizes[i + 1]);
        to->arguments[i] = at;
        at += (sizes[i + 1] + 15) / 16 * 16;
    }
    return true;
}

static int note_memory(bool good) {
    return note_error(good ? cudaSuccess : cudaErrorMemoryAllocation);
}

int graph_add_copy(struct graph *g, const struct copy *c) {
    struct node *n = add_node(g, c->from.at ? NODE_COPY : NODE_FILL);
    if (n) {
        n->copy = *c;
    }
    return note_memory(n);
}

int graph_add_launch(struct graph *g, const struct launch_call *c) {
    struct node *n = add_node(g, NODE_KERNEL);
    return note_memory(n && keep_arguments(&n->launch, c));
}

int graph_add_function(struct graph *g, void (*function)(void *), void *data) {
    struct node *n = add_node(g, NODE_FUNCTION);
    if (n) {
        n->function = function;
        n->data = data;
    }
    return note_memory(n);
}

int graph_add_allocation(struct graph *g, void **p, size_t bytes) {
    struct graph_memory *m = p && bytes ? graph_memory_make(bytes) : NULL;
    struct node *n = m ? add_node(g, NODE_ALLOCATION) : NULL;
    if (!p || !bytes) {
        return note_error(cudaErrorInvalidValue);
    }
    if (n) {
        n->memory = m;
        *p = graph_memory_address(m);
    } else if (m) {
        graph_memory_drop(m);
    }
    return note_memory(n);
}

int graph_add_release(struct graph *g, void *p) {
    struct node *n = graph_memory_has(p) ? add_node(g, NODE_RELEASE) : NULL;
    if (n) {
        n->released = p;
    }
    return n || graph_memory_has(p) ? note_memory(n) : note_error(cudaErrorInvalidValue);
}

/* --- graphs --- */

static struct node *copy_of_node(const struct graph *to, const struct graph *from,
                                 const struct node *n) {
    for (size_t i = 0; i < from->count; i++) {
        if (from->nodes[i] == n) {
            return to->nodes[i];
        }
    }
    return NULL;
}

static bool copy_nodes(struct graph *to, const struct graph *from);

static struct graph *clone_graph(const struct graph *from) {
    struct graph *g = calloc(1, sizeof *g);
    if (g && !copy_nodes(g, from)) {
        destroy_graph(g);
        g = NULL;
    }
    return g;
}

static bool copy_nodes(struct graph *to, const struct graph *from) {
    bool good = true;
    for (size_t i = 0; good && i < from->count; i++) {
        struct node *of = from->nodes[i], *n = add_node(to, of->type);
        if (!n) {
            return false;
        }
        n->origin = of;
        n->copy = of->copy;
        n->function = of->function;
        n->data = of->data;
        n->memory = of->memory ? graph_memory_share(of->memory) : NULL;
        n->released = of->released;
        good = of->type != NODE_KERNEL || keep_arguments(&n->launch, &of->launch);
        if (good && of->child) {
            n->child = clone_graph(of->child);
            good = n->child;
        }
    }
    for (size_t i = 0; good && i < from->count; i++) {
        for (size_t k = 0; good && k < from->nodes[i]->after_count; k++) {
            struct node *on = copy_of_node(to, from, from->nodes[i]->after[k]);
            good = on && add_dependency(to->nodes[i], on);
        }
    }
    return good;
}

struct graph *graph_begin_capture(void) {
    struct graph *g = calloc(1, sizeof *g);
    if (g) {
        g->state = GRAPH_CAPTURED;
    }
    return g;
}

bool graph_end_capture(struct graph *g) {
    if (g->state == GRAPH_INVALID) {
        destroy_graph(g);
        return false;
    }
    g->state = GRAPH_COMPLETE;
    return true;
}

bool graph_is_captured(const struct graph *g) {
    return g->state == GRAPH_CAPTURED;
}

void graph_invalidate(struct graph *g) {
    g->state = GRAPH_INVALID;
}

static bool is_ready(const struct node *n) {
    for (size_t i = 0; i < n->after_count; i++) {
        if (!n->after[i]->done) {
            return false;
        }
    }
    return !n->done;
}

static int run_graph(struct graph *g);

static int run_node(struct node *n) {
    switch (n->type) {
    case NODE_KERNEL: return launch_call_run(&n->launch);
    case NODE_COPY:
    case NODE_FILL: return copy_run(&n->copy);
    case NODE_FUNCTION: n->function(n->data); return cudaSuccess;
    case NODE_GRAPH: return run_graph(n->child);
    case NODE_ALLOCATION:
        return note_error(graph_memory_begin(n->memory) ? cudaSuccess : cudaErrorInvalidValue);
    case NODE_RELEASE:
        return note_error(graph_memory_end(n->released) ? cudaSuccess : cudaErrorInvalidValue);
    default: return cudaSuccess;
    }
}

/* The first node that waits for none, again and again; a circle is an error. */
static int run_graph(struct graph *g) {
    int error = cudaSuccess;
    for (size_t i = 0; i < g->count; i++) {
        struct node *n = g->nodes[i];
        n->done = false;
        if (g->frees_first && n->memory) {
            graph_memory_end(graph_memory_address(n->memory));
        }
    }
    for (size_t ran = 0; !error && ran < g->count; ran++) {
        size_t i = 0;
        while (i < g->count && !is_ready(g->nodes[i])) {
            i++;
        }
        if (i == g->count) {
            return note_error(cudaErrorInvalidValue);
        }
        error = run_node(g->nodes[i]);
        g->nodes[i]->done = true;
    }
    return error;
}

/* --- the API --- */

API(cudaGraphCreate, struct graph **graph, unsigned flags) {
    if (!graph || flags) {
        return note_error(cudaErrorInvalidValue);
    }
    *graph = calloc(1, sizeof **graph);
    return note_memory(*graph);
}

API(cudaGraphDestroy, struct graph *g) {
    if (!g) {
        return note_error(cudaErrorInvalidValue);
    }
    destroy_graph(g);
    return note_error(cudaSuccess);
}

API(cudaGraphClone, struct graph **to, const struct graph *from) {
    if (!to || !from) {
        return note_error(cudaErrorInvalidValue);
    }
    *to = clone_graph(from);
    return note_memory(*to);
}

API(cudaGraphGetNodes, const struct graph *g, struct node **nodes, size_t *count) {
    if (!g || !count) {
        return note_error(cudaErrorInvalidValue);
    }
    for (size_t i = 0; nodes && i < *count; i++) {
        nodes[i] = i < g->count ? g->nodes[i] : NULL;
    }
    *count = nodes && *count < g->count ? *count : g->count;
    return note_error(cudaSuccess);
}

API(cudaGraphNodeGetType, const struct node *n, int *type) {
    if (!n || !type) {
        return note_error(cudaErrorInvalidValue);
    }
    *type = (int)n->type;
    return note_error(cudaSuccess);
}

/* The last node, with what it waits for. */
static int finish_node(struct graph *g, struct node **to, struct node *const *after, size_t count,
                       int error) {
    if (error) {
        return error;
    }
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = add_dependency(g->nodes[g->count - 1], after[i]);
    }
    if (to) {
        *to = g->nodes[g->count - 1];
    }
    return note_memory(good);
}

/* As in warpmem_graph.h. */
struct kernel_node {
    const void *stub;
    struct size3 grid, block;
    unsigned shared;
    void **arguments, **extra;
};

static struct launch_call call_of_node(const struct kernel_node *p) {
    return (struct launch_call){.kernel = kernel_find(p->stub),
                                .grid = p->grid,
                                .block = p->block,
                                .shared = p->shared,
                                .arguments = p->arguments};
}

static bool has_arguments(const struct launch_call *c) {
    return c->arguments || !c->kernel->sizes || !*c->kernel->sizes;
}

API(cudaGraphAddKernelNode, struct node **n, struct graph *g, struct node *const *after,
    size_t count, const struct kernel_node *p) {
    const struct launch_call c = p ? call_of_node(p) : (struct launch_call){0};
    if (!g || !p || !c.kernel || p->extra || !has_arguments(&c)) {
        return note_error(p && !c.kernel ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    }
    return finish_node(g, n, after, count, graph_add_launch(g, &c));
}

API(cudaGraphAddMemcpyNode, struct node **n, struct graph *g, struct node *const *after,
    size_t count, const struct copy_parameters *p) {
    struct copy c;
    int error = g ? copy_from_parameters(p, &c) : note_error(cudaErrorInvalidValue);
    return error ? error : finish_node(g, n, after, count, graph_add_copy(g, &c));
}

API(cudaGraphAddMemcpyNode1D, struct node **n, struct graph *g, struct node *const *after,
    size_t count, char *to, char *from, size_t bytes, int kind) {
    const struct copy c = {.to = {to, bytes, 0},
                           .from = {from, bytes, 0},
                           .width = bytes,
                           .height = 1,
                           .depth = 1,
                           .kind = kind};
    return g && from ? finish_node(g, n, after, count, graph_add_copy(g, &c))
                     : note_error(cudaErrorInvalidValue);
}

struct fill_node {
    char *at;
    size_t pitch;
    unsigned value, value_bytes;
    size_t width, height; /* width: in values */
};

API(cudaGraphAddMemsetNode, struct node **n, struct graph *g, struct node *const *after,
    size_t count, const struct fill_node *p) {
    if (!g || !p || (p->value_bytes != 1 && p->value_bytes != 2 && p->value_bytes != 4)) {
        return note_error(cudaErrorInvalidValue);
    }
    const struct copy c = {.to = {p->at, p->pitch, 0},
                           .width = p->width * p->value_bytes,
                           .height = p->height,
                           .depth = 1,
                           .kind = 4,
                           .value = p->value,
                           .value_bytes = p->value_bytes};
    return finish_node(g, n, after, count, graph_add_copy(g, &c));
}

struct function_node {
    void (*function)(void *);
    void *data;
};

API(cudaGraphAddHostNode, struct node **n, struct graph *g, struct node *const *after, size_t count,
    const struct function_node *p) {
    return g && p && p->function
               ? finish_node(g, n, after, count, graph_add_function(g, p->function, p->data))
               : note_error(cudaErrorInvalidValue);
}

API(cudaGraphAddEmptyNode, struct node **n, struct graph *g, struct node *const *after,
    size_t count) {
    return g ? finish_node(g, n, after, count, note_memory(add_node(g, NODE_EMPTY)))
             : note_error(cudaErrorInvalidValue);
}

/* As in warpmem_graph.h. */
struct allocation_node {
    unsigned char pool[88];
    const void *accesses;
    size_t access_count, bytes;
    void *at;
};

API(cudaGraphAddMemAllocNode, struct node **n, struct graph *g, struct node *const *after,
    size_t count, struct allocation_node *p) {
    return g && p ? finish_node(g, n, after, count, graph_add_allocation(g, &p->at, p->bytes))
                  : note_error(cudaErrorInvalidValue);
}

API(cudaGraphAddMemFreeNode, struct node **n, struct graph *g, struct node *const *after,
    size_t count, void *p) {
    return g ? finish_node(g, n, after, count, graph_add_release(g, p))
             : note_error(cudaErrorInvalidValue);
}

API(cudaGraphAddChildGraphNode, struct node **n, struct graph *g, struct node *const *after,
    size_t count, const struct graph *child) {
    struct graph *clone = g && child ? clone_graph(child) : NULL;
    struct node *made = clone ? add_node(g, NODE_GRAPH) : NULL;
    if (!made) {
        return note_error(clone ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    }
    made->child = clone;
    return finish_node(g, n, after, count, cudaSuccess);
}

API(cudaGraphAddDependencies, const struct graph *g, struct node *const *from,
    struct node *const *to, size_t count) {
    bool good = g && (!count || (from && to));
    for (size_t i = 0; good && i < count; i++) {
        good = add_dependency(to[i], from[i]);
    }
    return note_error(good ? cudaSuccess : cudaErrorInvalidValue);
}

/* An executable graph is a copy. */
API(cudaGraphInstantiateWithFlags, struct graph **exec, const struct graph *g,
    unsigned long long flags) {
    const int error = cudaGraphClone(exec, g);
    if (!error) {
        (*exec)->frees_first = flags & 1;
    }
    return error;
}

API(cudaGraphExecDestroy, struct graph *exec) {
    return cudaGraphDestroy(exec);
}

API(cudaGraphUpload, const struct graph *exec, const void *stream) {
    (void)stream;
    return note_error(exec ? cudaSuccess : cudaErrorInvalidValue);
}

API(cudaGraphExecKernelNodeSetParams, struct graph *exec, const struct node *n,
    const struct kernel_node *p) {
    const struct launch_call c = p ? call_of_node(p) : (struct launch_call){0};
    for (size_t i = 0; exec && c.kernel && has_arguments(&c) && i < exec->count; i++) {
        if (exec->nodes[i]->origin == n && n->type == NODE_KERNEL) {
            return note_memory(keep_arguments(&exec->nodes[i]->launch, &c));
        }
    }
    return note_error(cudaErrorInvalidValue);
}

struct update_result {
    int result; /* 0: success; 2: another topology */
    struct node *node, *from;
};

API(cudaGraphExecUpdate, struct graph *exec, const struct graph *g, struct update_result *r) {
    if (!exec || !g || !r) {
        return note_error(cudaErrorInvalidValue);
    }
    *r = (struct update_result){0};
    bool same = exec->count == g->count;
    for (size_t i = 0; same && i < g->count; i++) {
        same = exec->nodes[i]->type == g->nodes[i]->type &&
               exec->nodes[i]->after_count == g->nodes[i]->after_count;
    }
    if (!same) {
        r->result = 2;
        return note_error(cudaErrorGraphExecUpdateFailure);
    }
    struct graph *fresh = clone_graph(g);
    if (!fresh) {
        return note_error(cudaErrorMemoryAllocation);
    }
    for (size_t i = 0; i < fresh->count; i++) { /* nodes are still those that the program knows */
        fresh->nodes[i]->origin = exec->nodes[i]->origin;
    }
    const struct graph old = *exec;
    *exec = *fresh;
    *fresh = old;
    destroy_graph(fresh);
    return note_error(cudaSuccess);
}

API(cudaGraphLaunch, struct graph *exec, void *stream) {
    struct graph *g = stream_graph(stream);
    if (!exec) {
        return note_error(cudaErrorInvalidValue);
    }
    return g ? cudaGraphAddChildGraphNode(NULL, g, NULL, 0, exec) : run_graph(exec);
}
