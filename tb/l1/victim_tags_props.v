// SPDX-License-Identifier: Apache-2.0
// The properties of wm_victim_tags, for one arbitrary set of one arbitrary warp, and one arbitrary
// line. Memories: tb/common/sram_1r1w_formal.v. Source: Rogers et al., MICRO 2012; DAWS, MICRO
// 2013, section 4 and table 3.
//
// A reference of the set does at once, in their order, what look, eviction and clear of a cycle do.
// The registers and memories must follow.
`default_nettype none

// The head, with dut and started, is made from wm_victim_tags: python/warpmem/tools/props.py.
`BEGIN_victim_tags_props
    localparam WARP_BITS = $clog2(WARPS);
    localparam SET_BITS  = $clog2(SETS);
    localparam ROWS      = WARPS * SETS;
    localparam ROW_BITS  = WARP_BITS + SET_BITS;
    localparam NEXT_BITS = WAYS > 1 ? $clog2(WAYS) : 1;
    localparam AGE_BITS  = $clog2(WAYS + 1);
    localparam [WAYS-1:0] WAY_0 = 1;

    (* anyconst *) wire [ROW_BITS-1:0]  watch;
    (* anyconst *) wire [LINE_BITS-1:0] x;
    wire [WARP_BITS-1:0] watch_warp = watch[ROW_BITS-1:SET_BITS];

    wire [WAYS*LINE_BITS-1:0] stored; // what the memories have of the set
    wire [WAYS-1:0]           watched;
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_way
            assign stored[g*LINE_BITS +: LINE_BITS] = dut.g_way[g].memory.watch_data;
            assign watched[g] = dut.g_way[g].memory.watch_addr == watch;
        end
    endgenerate

    wire [ROW_BITS-1:0] look_row, evict_row;
    generate
        if (SET_BITS > 0) begin : g_rows
            assign look_row  = {look_warp_i, look_line_i[SET_BITS-1:0]};
            assign evict_row = {evict_warp_i, evict_line_i[SET_BITS-1:0]};
        end else begin : g_row
            assign look_row  = look_warp_i;
            assign evict_row = evict_warp_i;
        end
    endgenerate

    always @* begin
        assume (watch < ROWS && &watched);
        assume (!look_valid_i || look_warp_i < WARPS);
        assume (!evict_valid_i || evict_warp_i < WARPS);
        assume (!clear_valid_i || clear_warp_i < WARPS);
    end

    // The reference: the set after all that has come before this cycle.
    reg [WAYS-1:0]           valid;
    reg [WAYS*LINE_BITS-1:0] line;
    reg [NEXT_BITS-1:0]      next;
    wire looks  = look_valid_i && look_row == watch;
    wire evicts = evict_valid_i && evict_row == watch;
    wire clears = clear_valid_i && clear_warp_i == watch_warp;
    reg [WAYS-1:0] has; // ways with the line that is looked for
    integer        i;
    always @* begin
        for (i = 0; i < WAYS; i = i + 1) begin
            has[i] = looks && valid[i] && line[i*LINE_BITS +: LINE_BITS] == look_line_i;
        end
    end
    always @(posedge clk_i) begin
        valid <= (valid & ~(has & {WAYS{FREES != 0}})) | ({WAYS{evicts}} & (WAY_0 << next));
        if (clears || rst_i) begin
            valid <= {WAYS{1'b0}};
        end
        if (evicts) begin
            line[next*LINE_BITS +: LINE_BITS] <= evict_line_i;
            next <= next == WAYS - 1 ? {NEXT_BITS{1'b0}} : next + 1'b1;
        end
        if (rst_i) begin
            next <= {NEXT_BITS{1'b0}};
        end
    end

    // The look of the last cycle, into the set, and what the set had then.
    reg                      looked, looked_here, found;
    reg [WARP_BITS-1:0]      looked_warp;
    reg [LINE_BITS-1:0]      looked_line;
    reg [WAYS-1:0]           valid_then, has_then;
    reg [WAYS*LINE_BITS-1:0] line_then;
    always @(posedge clk_i) begin
        looked      <= look_valid_i && !rst_i;
        looked_here <= looks && !rst_i;
        looked_warp <= look_warp_i;
        looked_line <= look_line_i;
        found       <= |has && !rst_i;
        valid_then  <= valid;
        has_then    <= has & {WAYS{!rst_i}};
        line_then   <= line;
    end

    // The ports tell of line x: it was evicted here and, with FREES, has not been looked for since,
    // nor was its warp cleared; so many others have been evicted into the set after it, up to WAYS.
    reg                lost;
    reg [AGE_BITS-1:0] after;
    wire               freed = FREES != 0 && looks && look_line_i == x;
    always @(posedge clk_i) begin
        if (freed) begin
            lost <= 1'b0;
        end
        if (evicts) begin
            lost  <= evict_line_i == x || (lost && !freed);
            after <= evict_line_i == x ? 0 : after == WAYS ? after : after + 1'b1;
        end
        if (clears || rst_i) begin
            lost <= 1'b0;
        end
        if (rst_i) begin
            after <= 0;
        end
    end
    wire there = lost && after < WAYS;

    reg there_then, asked_for_x;
    always @(posedge clk_i) begin
        there_then  <= there;
        asked_for_x <= looks && look_line_i == x && !rst_i;
    end

    // In flight: what the last cycle's look, eviction and clear have yet to do to the registers.
    wire look_here  = dut.look1_q && dut.look_row1_q == watch;
    wire evict_here = dut.evict1_q && dut.evict_row1_q == watch;
    wire clear_here = dut.clear1_q && dut.clear_warp1_q == watch_warp;
    wire [WAYS-1:0] evict_way = WAY_0 << dut.evict_next1_q;
    wire [WAYS-1:0] settled =
        ((dut.valid_q[watch*WAYS +: WAYS] & ~({WAYS{dut.look_row2_q == watch}} & dut.free2) &
          ~({WAYS{look_here && FREES != 0}} & dut.match)) | ({WAYS{evict_here}} & evict_way)) &
        ~{WAYS{clear_here}};
    wire [NEXT_BITS-1:0] after_last =
        dut.evict_next1_q == WAYS - 1 ? {NEXT_BITS{1'b0}} : dut.evict_next1_q + 1'b1;

    // Age of each way: evictions into the set since its own.
    reg [AGE_BITS-1:0] age;
    reg                newest_has_x; // the way of age `after` has line x
    reg                no_younger;   // no younger way has it, nor any if it was not lost
    always @* begin
        newest_has_x = 1'b0;
        no_younger   = 1'b1;
        for (i = 0; i < WAYS; i = i + 1) begin
            age = i < next ? next - 1 - i : next + WAYS - 1 - i;
            if (valid[i] && line[i*LINE_BITS +: LINE_BITS] == x) begin
                newest_has_x = newest_has_x || age == after;
                no_younger   = no_younger && lost && age >= after;
            end
        end
    end

    always @* begin
        if (started) begin
            // DAWS 4: a miss is a hit here exactly if its warp had lost the line: it was evicted
            // among the last WAYS of its set, and neither looked for, with FREES, nor cleared since.
            if (asked_for_x) begin
                the_last_lines_of_a_set_are_found: assert (hit_valid_o == there_then);
            end
            // Without a look there is no hit, and a hit is of the warp that looked.
            no_hit_without_a_look: assert (looked || !hit_valid_o);
            a_hit_is_of_its_warp: assert (!looked || hit_warp_o == looked_warp);
            if (looked_here) begin
                hits_are_those_of_the_set: assert (hit_valid_o == found);
            end

            // The reference, of the ports: where line x is.
            lost_is_there: assert (!there || newest_has_x);
            not_lost_is_not: assert (no_younger);
            ages_are_bounded: assert (after <= WAYS && next < WAYS);

            // The registers follow the reference.
            valid_ways_follow: assert (settled == valid);
            next_way_follows: assert (
                next == (evict_here ? after_last : dut.next_q[watch*NEXT_BITS +: NEXT_BITS]));
            next_way_is_one: assert (!evict_here || dut.evict_next1_q < WAYS);
            look_follows: assert (dut.look1_q == looked && (!looked ||
                (look_here == looked_here && dut.look_warp1_q == looked_warp &&
                 dut.look_line1_q == looked_line)));
            look_is_of_its_warp: assert (!looked ||
                dut.look_row1_q[ROW_BITS-1:SET_BITS] == looked_warp);
            eviction_was_noted: assert (!evict_here || dut.evict_row1_q < ROWS);
            if (look_here) begin
                ways_follow: assert (dut.looks_at == valid_then);
                matches_follow: assert (dut.match == has_then);
            end
            free_ways_are_of_a_look: assert (dut.look1_q || dut.match == 0);
        end
    end

    reg lines_follow, reads_follow;
    always @* begin
        lines_follow = 1'b1;
        reads_follow = 1'b1;
        for (i = 0; i < WAYS; i = i + 1) begin
            if (valid[i]) begin
                lines_follow = lines_follow && line[i*LINE_BITS +: LINE_BITS] ==
                    (evict_here && evict_way[i] ? dut.evict_line1_q
                                                : stored[i*LINE_BITS +: LINE_BITS]);
            end
            if (look_here && valid_then[i]) begin
                reads_follow = reads_follow &&
                    (dut.fresh1_q[i]
                         ? dut.same1_q ==
                               (line_then[i*LINE_BITS +: LINE_BITS] == looked_line)
                         : dut.read[i*LINE_BITS +: LINE_BITS] ==
                               line_then[i*LINE_BITS +: LINE_BITS]);
            end
        end
    end
    always @* begin
        if (started) begin
            the_memories_have_the_lines: assert (lines_follow);
            what_is_read_is_the_lines: assert (reads_follow);
        end
    end

    always @(posedge clk_i) begin
        shows_a_lost_line_that_is_missed: cover (started && hit_valid_o && asked_for_x && !rst_i);
        hit_of_the_oldest_line: cover (started && asked_for_x && hit_valid_o && &valid_then);
        look_right_behind_the_eviction: cover (started && look_here &&
                                               |(dut.fresh1_q & dut.match));
    end
endmodule

`default_nettype wire
