// SPDX-License-Identifier: Apache-2.0
// Properties of wm_insertion, of one arbitrary set and arbitrary ways of it; SETS and WAYS are 2 or
// more. Memory: tb/common/sram_1r1w_formal.v.
//
// Properties of all ways are proven in three steps, a cycle apart, because what holds of arbitrary ways
// in a cycle holds of all in it, and may be assumed of the last cycle: the bits of the pairs are an
// order of three arbitrary ways. So one way, lead, is before each arbitrary way that is not held.
// So the victim, which no such way precedes, is there: it is lead. The assumptions are `was_order`
// (proven by order_is_transitive, order_is_class_and_age and class_of_..._is_told of the last
// cycle) and `were_all_behind` (proven by lead_is_first of the last cycle, about the one before).
`default_nettype none

// The head, with dut and started, is made from wm_insertion: python/warpmem/tools/props.py.
`BEGIN_insertion_props
    localparam WAY_BITS   = $clog2(WAYS);
    localparam SET_BITS   = $clog2(SETS);
    localparam [WAYS-1:0] WAY_0 = 1;
    localparam STATE_BITS = 2 * WAYS + WAYS * (WAYS - 1) / 2;

    // The arbitrary set, and ways of it; z is a third one, where it is neither of the others.
    wire [SET_BITS-1:0] watch = dut.g_memory.memory.watch_addr;
    (* anyconst *) wire [WAY_BITS-1:0] x;
    (* anyconst *) wire [WAY_BITS-1:0] y;
    (* anyconst *) wire [WAY_BITS-1:0] z;

    wire uses = touch_i || insert_i;
    always @* begin
        assume (x < WAYS && y < WAYS && z < WAYS && x != y);
        assume (was_order && were_all_behind);
        assume (!uses || way_i < WAYS);
    end

    // State seen at the ports: the current set; which of the ways was used last, and their classes;
    // the last access to the set, and whether it was left since.
    reg [SET_BITS-1:0] current;
    reg                x_newer;
    reg [1:0]          x_class, y_class;
    reg                used_x, left;
    wire               here = current == watch;

    function [1:0] class_after(input [1:0] class);
        class_after = PLACE == 0 && (insert_i || (RAISE != 0 && line_class_i > class))
                      ? line_class_i : class;
    endfunction

    // With PLACE: does a way come before the line that is inserted, if these ways do before it?
    function stays_before(input [WAYS-1:0] older);
        integer w, count;
        begin
            count = 0;
            for (w = 0; w < WAYS; w = w + 1) begin
                count = count + older[w];
            end
            stays_before = line_class_i >= 2 || (line_class_i == 1 && count < WAYS / 2);
        end
    endfunction
    wire placed = PLACE != 0 && insert_i;

    always @(posedge clk_i) begin
        if (read_i) begin
            current <= set_i;
            left    <= left || (here && set_i != watch);
        end
        if (here && uses) begin
            used_x <= way_i == x && !(placed && line_class_i < 2);
            left   <= read_i && set_i != watch;
            if (way_i == x) begin
                x_newer <= !placed || stays_before(before_y & ~(WAY_0 << x));
                x_class <= class_after(x_class);
            end
            if (way_i == y) begin
                x_newer <= placed && !stays_before(before_x & ~(WAY_0 << y));
                y_class <= class_after(y_class);
            end
        end
        if (rst_i) begin
            current <= 0;
            x_newer <= x > y;
            x_class <= 0;
            y_class <= 0;
            used_x  <= 1'b0;
            left    <= 1'b0;
        end
    end

    // The state of the set, wherever it is.
    wire                  written = dut.written_q[watch];
    wire [STATE_BITS-1:0] initial_state;
    wire [STATE_BITS-1:0] state = written ? dut.g_memory.memory.watch_data: initial_state;
    wire [2*WAYS-1:0]     class_of;
    // Row w, column v: v goes before w.
    wire [WAYS*WAYS-1:0]  before;
    genvar g, h;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_way
            localparam FIRST = 2 * g + g * (g - 1) / 2;
            assign initial_state[FIRST +: 2] = 2'd0;
            assign class_of[2*g +: 2]        = state[FIRST +: 2];
            assign before[g*WAYS+g]          = 1'b0;
            for (h = 0; h < g; h = h + 1) begin : g_pair
                assign initial_state[FIRST+2+h] = 1'b1;
                assign before[g*WAYS+h]         = state[FIRST+2+h];
                assign before[h*WAYS+g]         = !state[FIRST+2+h];
            end
        end
    endgenerate
    wire [WAYS-1:0] before_x = before >> x * WAYS;
    wire [WAYS-1:0] before_y = before >> y * WAYS;
    wire [WAYS-1:0] before_z = before >> z * WAYS;

    wire some_free = free_i != 0;
    wire evicts    = started && here && !some_free && victim_valid_o;
    wire y_for_x   = evicts && victim_o == y && !held_i[x]; // y goes, where x could

    // The way that goes first of those that are not held, found one by one in ways 0, 1, ...; the
    // ways that are held, lead or behind it.
    reg [WAYS-1:0] lead, behind;
    integer        i, j;
    always @* begin
        lead = {WAYS{1'b0}};
        for (i = 0; i < WAYS; i = i + 1) begin
            if (!held_i[i] && (lead & before[i*WAYS +: WAYS]) == {WAYS{1'b0}}) begin
                lead = WAY_0 << i;
            end
        end
        for (i = 0; i < WAYS; i = i + 1) begin
            behind[i] = held_i[i] || lead[i] || (lead & before[i*WAYS +: WAYS]) != {WAYS{1'b0}};
        end
    end

    // The bits of the pairs are an order of x and any two ways, and of y, z and any one, and that of
    // the classes.
    wire [1:0] class_z = class_of >> 2 * z & 2'd3;
    reg        order;
    always @* begin
        order = (x_class >= y_class || before_y[x]) && (y_class >= x_class || before_x[y]) &&
                (z == x || ((x_class >= class_z || before_z[x]) &&
                            (class_z >= x_class || before_x[z]))) &&
                (z == y || ((y_class >= class_z || before_z[y]) &&
                            (class_z >= y_class || before_y[z])));
        for (i = 0; i < WAYS; i = i + 1) begin
            order = order && (PLACE == 0 || y == z || y == i || z == i ||
                              !((before_y[z] && before_z[i] && !before_y[i]) ||
                                (before_z[y] && before_y[i] && !before_z[i])));
        end
        for (i = 0; i < WAYS; i = i + 1) begin
            for (j = 0; j < WAYS; j = j + 1) begin
                if (i != j) begin
                    order = order && (x == i || x == j || !before_x[j] || !before[j*WAYS+i] ||
                                      before_x[i]);
                end
            end
        end
    end

    // Properties of the last cycle (was) and of the one before it (were):
    reg was_order = 1'b1;           // the order; ...
    reg was_x_behind = 1'b1;        // x is held, lead or behind it; ...
    reg were_all_behind = 1'b1;     // ... and so is each way, ...
    reg was_all_behind = 1'b1;
    reg was_not_held = 1'b1;        // the victim is no line on its way, ...
    reg were_not_held = 1'b1;
    reg was_of_lowest_class = 1'b1; // no other line that could be evicted is of a lower class, ...
    reg were_of_lowest_class = 1'b1;
    reg was_oldest = 1'b1;          // ... and none of the same class is older
    reg were_oldest = 1'b1;
    reg was_not_the_used = 1'b1;    // not the line used last, if another one may go
    reg were_not_the_used = 1'b1;
    always @(posedge clk_i) begin
        was_order           <= !started || order;
        was_x_behind        <= !started || behind[x];
        was_all_behind      <= !started || &behind;
        was_not_held        <= !evicts || !held_i[victim_o];
        was_of_lowest_class <= !y_for_x || y_class <= x_class;
        was_oldest          <= !y_for_x || y_class != x_class || x_newer;
        was_not_the_used    <= !(evicts && used_x && victim_o == x && !held_i[y] &&
                                 y_class <= x_class);
        were_all_behind      <= was_all_behind;
        were_not_held        <= was_not_held;
        were_of_lowest_class <= was_of_lowest_class;
        were_oldest          <= was_oldest;
        were_not_the_used    <= was_not_the_used;
    end

    always @* begin
        if (started) begin
            // A way can be taken exactly if one is free or not held, and it exists.
            taken_if_any: assert (victim_valid_o == (some_free || held_i != {WAYS{1'b1}}));
            victim_exists: assert (!victim_valid_o || victim_o < WAYS);
            // A free way goes first, and no lower one is free.
            if (some_free) begin
                free_goes_first: assert (free_i[victim_o]);
                lowest_free_way: assert (!free_i[x] || victim_o <= x);
            end
            // The current set is the one that was read last.
            current_set: assert (dut.set_q == current);
            // The memory is never asked for the word that is written at the same edge.
            no_read_of_a_word_being_written:
                assert (!(dut.g_memory.memory.wr_watched && dut.g_memory.memory.rd_watched));
            // A set that was never written has no state in the memory.
            unwritten_is_own: assert (!here || written || &dut.own_q);
            // A set keeps its state while others are current.
            state_is_kept: assert (!here || dut.state == state);
            // The order is total, so that some way comes first among any.
            order_is_transitive: assert (x == z || y == z ||
                                         !(before_y[x] && before_z[y] && before_x[z]));
            // It is that of the classes, and within one of the last uses.
            order_is_class_and_age: assert (before_y[x] == (x_class < y_class ||
                                                            (x_class == y_class && !x_newer)));
            places_have_no_class: assert (PLACE == 0 || (x_class == 0 && y_class == 0));
            used_is_newer: assert (!used_x || x_newer);
            class_of_x_is_told: assert ((class_of >> 2 * x & 2'd3) == x_class);
            class_of_y_is_told: assert ((class_of >> 2 * y & 2'd3) == y_class);
        end
        lead_is_first: assert (was_x_behind);
        // Where it is of all ways, the victim is lead.
        victim_is_lead: assert (!was_all_behind || (was_not_held && was_of_lowest_class &&
                                                    was_oldest && was_not_the_used));
        // A line on its way is never evicted.
        never_a_held_way: assert (were_not_held);
        // No other line that could be evicted is of a lower class, ...
        lowest_class: assert (were_of_lowest_class);
        // ... and none of the same class is older.
        then_least_recent: assert (were_oldest);
        // The line that was used last stays if another one of its class, or below, can go.
        used_line_stays: assert (were_not_the_used);
        // A line of a lower class goes, though the other one is older.
        shows_class_before_recency:
            cover (evicts && written && victim_o == y && !held_i[x] && !x_newer && x_class == 2);
        used_line_goes_of_a_lower_class:
            cover (evicts && left && victim_o == x && used_x && !held_i[y]);
        no_victim: cover (started && here && !victim_valid_o && x_class == 3 && left);
        use_and_look_at_another_set:
            cover (started && here && written && uses && read_i && set_i != watch && some_free);
    end
endmodule

`default_nettype wire
