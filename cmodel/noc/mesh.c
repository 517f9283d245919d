/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/mesh.h"

#include <assert.h>
#include <stdlib.h>

#include "base/events.h"
#include "noc/network.h"

#define NO_PACKET UINT32_MAX
#define FOR_BITS(mask, bit) \
    for (unsigned left_ = (mask), bit; left_ && (bit = (unsigned)__builtin_ctz(left_), true); \
         left_ &= left_ - 1)

/* True if it is an input of the router's sender. */
static inline bool is_local(unsigned side) {
    return side - MESH_EAST >= MESH_SIDES - MESH_EAST;
}

/* The input of the network at a local input of the router. */
static inline unsigned network_input(const struct mesh_router *r, unsigned side) {
    return side == MESH_LOCAL ? r->sender : r->sender + side - MESH_SIDES + 1;
}

/* The router's local inputs with a packet. */
static inline unsigned sending_sides(const struct network *n, const struct mesh_router *r) {
    if (r->sender == MESH_NOBODY) {
        return 0;
    }
    unsigned inputs = (unsigned)(n->occupied.word[0] >> r->sender) & n->mesh.sender_inputs;
    return inputs <= 1 ? inputs : (inputs & 1) | inputs >> 1 << MESH_SIDES;
}

static unsigned opposite_side(unsigned side) {
    return ((side - 1) ^ 1) + 1;
}

static unsigned side_towards(const struct mesh_map *map, unsigned node, unsigned to) {
    unsigned x = node % map->columns, y = node / map->columns;
    unsigned to_x = to % map->columns, to_y = to / map->columns;
    return x < to_x   ? MESH_EAST
           : x > to_x ? MESH_WEST
           : y < to_y ? MESH_SOUTH
           : y > to_y ? MESH_NORTH
                      : MESH_LOCAL;
}

static void make_router(struct network *n, unsigned node) {
    struct mesh *m = &n->mesh;
    struct mesh_router *r = &m->router[node];
    unsigned columns = m->map.columns, x = node % columns, y = node / columns;
    r->sender = r->receiver = MESH_NOBODY;
    for (unsigned side = 0; side < MESH_SIDES; side++) {
        r->last[side] = MESH_SIDES - 1;
        r->neighbour[side] = MESH_NOBODY;
    }
    r->neighbour[MESH_EAST] = (uint8_t)(x + 1 < columns ? node + 1 : MESH_NOBODY);
    r->neighbour[MESH_WEST] = (uint8_t)(x ? node - 1 : MESH_NOBODY);
    r->neighbour[MESH_SOUTH] = (uint8_t)(y + 1 < m->map.rows ? node + columns : MESH_NOBODY);
    r->neighbour[MESH_NORTH] = (uint8_t)(y ? node - columns : MESH_NOBODY);
}

bool mesh_init(struct network *n) {
    struct mesh *m = &n->mesh;
    struct config_error e;
    uint32_t size = 1, flits = n->config->noc.router_flits;
    bool parsed = mesh_map_parse(&m->map, n->config->noc.nodes, &e);
    assert(parsed); /* config_check() */
    (void)parsed;
    /* Packets of a flit each, and a head whose last flit has just left. */
    while (size < flits + 1) {
        size *= 2;
    }
    bool to_cores = n->direction == TO_CORES;
    const uint8_t *sender = to_cores ? m->map.partition : m->map.core,
                  *receiver = to_cores ? m->map.core : m->map.partition;
    m->nodes = m->map.columns * m->map.rows;
    m->sender_inputs = (1u << (1u << n->sender_shift)) - 1;
    m->free = NO_PACKET;
    m->router = calloc(m->nodes, sizeof *m->router);
    m->route = calloc((size_t)m->nodes * n->receivers, sizeof *m->route);
    m->pool = calloc((size_t)m->nodes * (MESH_SIDES - 1) * flits, sizeof *m->pool);
    m->entries = calloc((size_t)m->nodes * (MESH_SIDES - 1) * size, sizeof *m->entries);
    if (!m->router || !m->route || !m->pool || !m->entries) {
        return false;
    }
    for (unsigned node = 0; node < m->nodes; node++) {
        make_router(n, node);
        for (unsigned side = MESH_EAST; side < MESH_SIDES; side++) {
            struct mesh_buffer *b = &m->router[node].buffer[side];
            b->entries = &m->entries[(node * (MESH_SIDES - 1) + side - 1) * (size_t)size];
            b->mask = size - 1;
        }
        for (unsigned i = 0; i < n->receivers; i++) {
            m->route[node * n->receivers + i] = (uint8_t)side_towards(&m->map, node, receiver[i]);
        }
    }
    for (unsigned i = n->inputs; i--;) { /* the first of a sender's last */
        m->sender_node[i] = sender[network_sender(n, i)];
        m->router[m->sender_node[i]].sender = (uint8_t)i;
    }
    for (unsigned i = 0; i < n->receivers; i++) {
        m->router[receiver[i]].receiver = (uint8_t)i;
    }
    return true;
}

void mesh_destroy(struct mesh *m) {
    free(m->router);
    free(m->route);
    free(m->pool);
    free(m->entries);
}

/* --- when to look at a router --- */

static void look_at_router(struct mesh *m, unsigned node, uint64_t cycle) {
    uint64_t ahead = cycle - m->cycle;
    /* Beyond the wheel's range: an early evaluation finds no work and notes the router again. */
    unsigned slot =
        (unsigned)(m->cycle + (ahead < MESH_WHEEL ? ahead : MESH_WHEEL - 1)) % MESH_WHEEL;
    m->due[slot] |= UINT64_C(1) << node;
    m->slots |= UINT64_C(1) << slot;
}

static uint64_t take_due_nodes(struct mesh *m) {
    unsigned slot = (unsigned)m->cycle % MESH_WHEEL;
    uint64_t nodes = m->due[slot];
    m->due[slot] = 0;
    m->slots &= ~(UINT64_C(1) << slot);
    return nodes;
}

static uint64_t next_due(const struct mesh *m, const struct now *now) {
    unsigned from = (unsigned)(m->cycle + 1) % MESH_WHEEL;
    uint64_t turned = m->slots >> from | m->slots << (MESH_WHEEL - from) % MESH_WHEEL;
    return turned ? now->time + (1 + (unsigned)__builtin_ctzll(turned)) * now->period : NEVER;
}

/* --- packets --- */

static uint32_t new_packet(struct mesh *m) {
    uint32_t packet = m->free;
    if (packet == NO_PACKET) {
        packet = m->fresh++;
    } else {
        m->free = m->pool[packet].next_free;
    }
    m->inside++;
    return packet;
}

static void free_packet(struct mesh *m, uint32_t packet) {
    m->pool[packet].next_free = m->free;
    m->free = packet;
    m->inside--;
}

static struct mesh_entry *oldest_entry(const struct mesh_buffer *b) {
    return &b->entries[b->head & b->mask];
}

/* --- a router --- */

/* The last flit of a head has left its input. */
static void end_leaving(struct network *n, struct mesh_router *r, unsigned side,
                        const struct now *now) {
    r->moving &= (uint8_t) ~(1u << side);
    if (is_local(side)) {
        unsigned input = network_input(r, side);
        n->mesh.engaged &= ~(UINT64_C(1) << input);
        n->mesh.injecting--;
        network_sent(n, input, now->time);
        return;
    }
    struct mesh_buffer *b = &r->buffer[side];
    b->used -= oldest_entry(b)->flits;
    b->head++;
    if (!--b->count) {
        r->present &= (uint8_t) ~(1u << side);
    }
}

/* A head that can go on requests its output. */
static void ask_for_output(struct network *n, unsigned node, unsigned side, const struct now *now) {
    struct mesh *m = &n->mesh;
    struct mesh_router *r = &m->router[node];
    unsigned to;
    if (is_local(side)) {
        unsigned input = network_input(r, side);
        const struct ring_entry *head = ring_head(&n->input[input], now->time);
        if (!head) {
            return; /* mesh_cycle() looks after it */
        }
        to = network_receiver(n, &head->request);
        m->engaged |= UINT64_C(1) << input;
    } else {
        const struct mesh_entry *head = oldest_entry(&r->buffer[side]);
        if (head->head_at > now->cycle) {
            look_at_router(m, node, head->head_at);
            return;
        }
        to = head->receiver;
    }
    unsigned out = m->route[node * n->receivers + to];
    r->input[side].asked = now->cycle;
    r->waiting |= (uint8_t)(1u << side);
    r->wanting[out] |= (uint8_t)(1u << side);
    r->wanted |= (uint8_t)(1u << out);
}

static unsigned next_side_in_turn(const struct mesh_router *r, unsigned out) {
    unsigned wanting = r->wanting[out], after = wanting & ~0u << (r->last[out] + 1);
    return (unsigned)__builtin_ctz(after ? after : wanting);
}

/* The head of an input begins to leave through an output. */
static void begin_leaving(struct network *n, unsigned node, unsigned side, unsigned out,
                          uint32_t flits, const struct now *now) {
    struct mesh *m = &n->mesh;
    struct mesh_router *r = &m->router[node];
    r->input[side].from = now->cycle;
    r->input[side].until = now->cycle + flits;
    r->last[out] = (uint8_t)side;
    r->moving |= (uint8_t)(1u << side);
    r->waiting &= (uint8_t) ~(1u << side);
    r->wanting[out] &= (uint8_t) ~(1u << side);
    if (!r->wanting[out]) {
        r->wanted &= (uint8_t) ~(1u << out);
    }
    look_at_router(m, node, now->cycle + flits);
    n->stats.head_wait += now->cycle - r->input[side].asked;
    if (is_local(side)) {
        m->injecting++;
    } else if (r->buffer[side].sender_waits) {
        r->buffer[side].sender_waits = false;
        look_at_router(m, r->neighbour[side], now->cycle + 1);
    }
}

/* Room for @flits in the buffer behind a link. If not: when there may be. */
static bool link_has_room(struct network *n, unsigned node, unsigned out, uint32_t flits,
                          const struct now *now) {
    struct mesh *m = &n->mesh;
    unsigned to = m->router[node].neighbour[out], side = opposite_side(out);
    struct mesh_router *next = &m->router[to];
    struct mesh_buffer *b = &next->buffer[side];
    uint32_t rest = 0; /* flits of a head that leaves, still there */
    uint32_t used = b->used;
    if (next->moving >> side & 1) {
        uint64_t until = next->input[side].until;
        rest = until > now->cycle ? (uint32_t)(until - now->cycle) : 0;
        used -= oldest_entry(b)->flits - rest;
    }
    if (used + flits <= n->config->noc.router_flits) {
        return true;
    }
    uint32_t missing = used + flits - n->config->noc.router_flits;
    if (missing <= rest) {
        look_at_router(m, node, now->cycle + missing);
    } else {
        b->sender_waits = true;
    }
    return false;
}

static void serve_link(struct network *n, unsigned node, unsigned out, const struct now *now) {
    struct mesh *m = &n->mesh;
    struct mesh_router *r = &m->router[node];
    if (r->link_until[out] > now->cycle) {
        return;
    }
    unsigned side = next_side_in_turn(r, out);
    struct mesh_entry entry;
    if (is_local(side)) {
        const struct ring_entry *head = ring_front(&n->input[network_input(r, side)]);
        if (!link_has_room(n, node, out, head->weight, now)) {
            return;
        }
        entry = (struct mesh_entry){.packet = new_packet(m),
                                    .flits = (uint16_t)head->weight,
                                    .receiver = (uint8_t)network_receiver(n, &head->request)};
        m->pool[entry.packet].request = head->request;
        m->pool[entry.packet].seen = now->cycle - (now->time - head->visible_at) / now->period;
    } else {
        entry = *oldest_entry(&r->buffer[side]);
        if (!link_has_room(n, node, out, entry.flits, now)) {
            return;
        }
    }
    unsigned to = r->neighbour[out], far = opposite_side(out);
    struct mesh_buffer *b = &m->router[to].buffer[far];
    begin_leaving(n, node, side, out, entry.flits, now);
    r->link_until[out] = now->cycle + entry.flits;
    n->stats.flit_hops += entry.flits;
    entry.head_at = now->cycle + n->config->noc.hop_latency;
    b->entries[(b->head + b->count) & b->mask] = entry;
    b->used += entry.flits;
    if (!b->count++) {
        m->router[to].present |= (uint8_t)(1u << far);
        look_at_router(m, to, entry.head_at);
    }
    EVENT(n->events, now->time, "noc.%s node %u to %u, %u to %u, %u flits\n", network_name(n), node,
          to,
          n->direction == TO_CORES ? m->pool[entry.packet].request.partition
                                   : m->pool[entry.packet].request.core,
          entry.receiver, entry.flits);
}

/* A free port of the receiver with room; n->ports: none. */
static unsigned port_with_room(struct network *n, unsigned node, uint32_t flits,
                               const struct now *now) {
    struct mesh *m = &n->mesh;
    struct mesh_router *r = &m->router[node];
    struct ring *output = network_outputs(n, r->receiver);
    unsigned port = r->port;
    for (unsigned left = n->ports; left; left--) {
        if (r->port_until[port] <= now->cycle) {
            struct ring *ring = &output[port];
            ring->sender_waits = false;
            if (flits <= ring_room(ring, now->time)) {
                return port;
            }
            if (flits <= ring->capacity - ring->used) {
                look_at_router(m, node, now->cycle + 1);
            } else {
                ring->sender_waits = true;
                m->held |= UINT64_C(1) << node;
            }
        }
        port = port + 1 == n->ports ? 0 : port + 1;
    }
    return n->ports;
}

static void serve_router(struct network *n, unsigned node, const struct now *now) {
    struct mesh *m = &n->mesh;
    struct mesh_router *r = &m->router[node];
    do {
        unsigned side = next_side_in_turn(r, MESH_LOCAL);
        const struct mesh_entry *entry = oldest_entry(&r->buffer[side]);
        unsigned port = port_with_room(n, node, entry->flits, now);
        if (port == n->ports) {
            return;
        }
        const struct mesh_packet *p = &m->pool[entry->packet];
        unsigned flits = entry->flits, hop = n->config->noc.hop_latency;
        begin_leaving(n, node, side, MESH_LOCAL, flits, now);
        r->port_until[port] = now->cycle + flits;
        r->port = (uint8_t)(port + 1 == n->ports ? 0 : port + 1);
        network_deliver(n, r->receiver, &network_outputs(n, r->receiver)[port], &p->request, flits,
                        now->time, now->time + (hop + flits - 1) * now->period);
        uint64_t latency = now->cycle + hop + flits - 1 - p->seen;
        n->stats.latency += latency;
        n->stats.occupancy += latency * flits;
        EVENT(n->events, now->time, "noc.%s %u to %u port %u, %u flits\n", network_name(n),
              n->direction == TO_CORES ? p->request.partition : p->request.core, r->receiver, port,
              flits);
        free_packet(m, entry->packet);
    } while (r->wanting[MESH_LOCAL]);
}

static void router_cycle(struct network *n, unsigned node, const struct now *now) {
    struct mesh *m = &n->mesh;
    struct mesh_router *r = &m->router[node];
    m->held &= ~(UINT64_C(1) << node);
    FOR_BITS(r->moving, side) {
        if (r->input[side].until <= now->cycle) {
            end_leaving(n, r, side, now);
        } else {
            look_at_router(m, node, r->input[side].until);
        }
    }
    unsigned full = r->present | sending_sides(n, r);
    FOR_BITS(full & ~(unsigned)(r->moving | r->waiting), side) {
        ask_for_output(n, node, side, now);
    }
    FOR_BITS(r->wanted, out) {
        if (out == MESH_LOCAL) {
            serve_router(n, node, now);
        } else {
            serve_link(n, node, out, now);
        }
    }
}

uint64_t mesh_cycle(struct network *n, const struct now *now) {
    struct mesh *m = &n->mesh;
    m->cycle = now->cycle;
    uint64_t nodes = take_due_nodes(m) | m->held;
    for (uint64_t left = n->occupied.word[0] & ~m->engaged; left; left &= left - 1) {
        unsigned sender = (unsigned)__builtin_ctzll(left);
        if (ring_next(&n->input[sender]) <= now->time) {
            nodes |= UINT64_C(1) << m->sender_node[sender];
        }
    }
    if (n->poll) {
        nodes = m->nodes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << m->nodes) - 1;
    }
    for (; nodes; nodes &= nodes - 1) {
        router_cycle(n, (unsigned)__builtin_ctzll(nodes), now);
    }
    uint64_t next = next_due(m, now);
    for (uint64_t left = n->occupied.word[0] & ~m->engaged; left; left &= left - 1) {
        next = earlier_time(next, ring_next(&n->input[__builtin_ctzll(left)]));
    }
    return next;
}

void mesh_dump(const struct network *n, FILE *out) {
    static const char *const name[MESH_SIDES] = {"its receiver", "east", "west", "south", "north"};
    const struct mesh *m = &n->mesh;
    for (unsigned node = 0; node < m->nodes; node++) {
        const struct mesh_router *r = &m->router[node];
        FOR_BITS(r->present, side) {
            const struct mesh_buffer *b = &r->buffer[side];
            const struct mesh_entry *head = oldest_entry(b);
            fprintf(
                out, "  %s mesh, node %u, from %s: %u packets, %u of %u flits; head to %u %s %s\n",
                network_name(n), node, name[side], b->count, b->used, n->config->noc.router_flits,
                head->receiver, r->waiting >> side & 1 ? "waits for" : "goes",
                name[m->route[node * n->receivers + head->receiver]]);
        }
    }
}
