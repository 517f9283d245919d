// SPDX-License-Identifier: Apache-2.0
// Promises of wm_warp_arbiter (OWL, ASPLOS 2013, sections 4.1 to 4.3).
`default_nettype none

// The head, with dut and started, is made from wm_warp_arbiter: python/warpmem/tools/props.py.
`BEGIN_warp_arbiter_props
    localparam WARP_BITS  = $clog2(WARPS);
    localparam GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;

    // An arbitrary warp and an arbitrary place.
    (* anyconst *) wire [WARP_BITS-1:0]  one;
    (* anyconst *) wire [GROUP_BITS-1:0] one_place;

    // Taken last, as cmodel/issue/warp_arbiter.h defines it; for PIPELINE, the choice.
    reg                  any_last;
    reg [WARP_BITS-1:0]  last;
    reg [GROUP_BITS-1:0] at;
    reg                  was_chosen;
    reg [GROUP_BITS-1:0] was_place;
    reg [GROUPS-1:0]     was_holding; // places with a holder in the cycle before
    reg [WARP_BITS:0]    waited;      // takes of others of its group that one has seen in vain

    wire takes = grant_valid_o && grant_taken_i;
    wire [GROUP_BITS-1:0] then_at = takes ? grant_group_o : at; // at, in the next cycle
    wire [WARPS-1:0]      holders = STRICT ? unstalled_i : ready_i;

    // Distance of a place and a warp behind the first in turn.
    function [GROUP_BITS:0] place_distance(input [GROUP_BITS-1:0] who,
                                           input [GROUP_BITS-1:0] first);
        place_distance = !ROTATE      ? {1'b0, who}
                       : who >= first ? {1'b0, who} - first : GROUPS + {1'b0, who} - first;
    endfunction

    function [WARP_BITS:0] warp_distance(input [WARP_BITS-1:0] who);
        warp_distance = WITHIN == 1 || !any_last ? {1'b0, who}
                      : who > last ? {1'b0, who} - last - 1'b1
                                   : WARPS + {1'b0, who} - last - 1'b1;
    endfunction

    // The places with a holder, those that have the arbitrary and the last warp, the choice.
    reg [GROUPS-1:0]     holding, has_one, has_last, has_ready;
    reg [WARPS-1:0]      grouped;
    reg                  disjoint;
    reg                  chosen, next_chosen;
    reg [GROUP_BITS-1:0] place, next_place;
    integer g;
    always @* begin
        grouped  = {WARPS{1'b0}};
        disjoint = 1'b1;
        for (g = 0; g < GROUPS; g = g + 1) begin
            disjoint     = disjoint && (grouped & group_warps_i[g*WARPS +: WARPS]) == 0;
            grouped      = grouped | group_warps_i[g*WARPS +: WARPS];
            holding[g]   = (holders & group_warps_i[g*WARPS +: WARPS]) != 0;
            has_ready[g] = (ready_i & group_warps_i[g*WARPS +: WARPS]) != 0;
            has_one[g]   = group_warps_i[g*WARPS + one];
            has_last[g]  = any_last && group_warps_i[g*WARPS + last];
        end
        chosen      = PIPELINE ? was_chosen : holding != 0;
        next_chosen = holding != 0;
        place       = was_place;
        next_place  = was_place;
        for (g = GROUPS - 1; g >= 0; g = g - 1) begin
            if (holding[ROTATE ? (then_at + g) % GROUPS : g]) begin
                next_place = ROTATE ? (then_at + g) % GROUPS : g;
            end
            if (!PIPELINE && holding[ROTATE ? (at + g) % GROUPS : g]) begin
                place = ROTATE ? (at + g) % GROUPS : g;
            end
        end
    end

    wire goes_on = GREEDY && any_last && ready_i[last] && has_last != 0;

    always @(posedge clk_i) begin
        if (takes) begin
            any_last <= 1'b1;
            last     <= grant_warp_o;
            at       <= grant_group_o;
        end
        if (!ready_i[one] || (takes && (grant_oh_o[one] || !has_one[grant_group_o]))) begin
            waited <= 0;
        end else if (takes) begin
            waited <= waited + 1'b1;
        end
        was_chosen  <= next_chosen;
        was_place   <= next_place;
        was_holding <= holding;
        if (rst_i) begin
            any_last    <= 1'b0;
            last        <= 0;
            at          <= 0;
            waited      <= 0;
            was_chosen  <= 1'b0;
            was_holding <= 0;
        end
    end

    always @* begin
        assume (one < WARPS);
        assume (one_place < GROUPS);
        assume (disjoint);
    end

    // The state inside: the marks of what was taken last, and of the chosen place.
    reg [WARPS-1:0]  above;
    reg [GROUPS-1:0] from, marked;
    integer i;
    always @* begin
        for (i = 0; i < WARPS; i = i + 1) begin
            above[i] = !any_last || i > last || (WITHIN == 1 && !GREEDY);
        end
        for (i = 0; i < GROUPS; i = i + 1) begin
            from[i]   = i >= at || !ROTATE;
            marked[i] = chosen && i == place;
        end
    end

    always @* begin
        if (started) begin
            // A grant is one-hot, of a ready warp, and the number is its own.
            if (grant_valid_o) begin
                grant_one_hot: assert (grant_oh_o != 0 && (grant_oh_o & (grant_oh_o - 1'b1)) == 0);
                grant_to_ready: assert (ready_i[grant_warp_o]);
                number_is_the_granted: assert (grant_warp_o < WARPS && grant_oh_o[grant_warp_o]);
                // The place is that of the warp's group, so a warp in no group is not granted.
                place_is_its_group: assert (grant_group_o < GROUPS &&
                                            group_warps_i[grant_group_o*WARPS + grant_warp_o]);
            end
            // The greedy warp goes on while it is ready.
            if (goes_on) begin
                greedy_goes_on: assert (grant_valid_o && grant_warp_o == last);
            end else begin
                // There is a grant exactly when the chosen group has a ready warp, and it is there.
                grant_if_chosen_is_ready: assert (grant_valid_o == (chosen && has_ready[place]));
                if (grant_valid_o) begin
                    grant_in_chosen: assert (grant_group_o == place);
                    // No place with a holder stands before it: a strict group that has an
                    // unstalled warp is not left, and a loose one gives way to a better one.
                    if (PIPELINE ? was_holding[one_place] : holding[one_place]) begin
                        best_group_wins: assert (place_distance(grant_group_o, at) <=
                                                 place_distance(one_place, at));
                    end
                    // No ready warp of the group stands before the winner.
                    if (ready_i[one] && has_one[grant_group_o]) begin
                        first_warp_wins: assert (warp_distance(grant_warp_o) <=
                                                 warp_distance(one));
                    end
                end
            end
            // Loose and not pipelined, no cycle is lost while a warp of any group is ready.
            if (!STRICT && !PIPELINE) begin
                work_conserving: assert (grant_valid_o == ((ready_i & grouped) != 0));
            end
            // A warp that stays ready is granted after at most WARPS - 1 takes of others, if all
            // are of its own group: there is one turn for all groups, and another's moves it too.
            if (WITHIN == 0 && !GREEDY) begin
                no_starvation: assert (waited <= WARPS - 1);
                waiting_brings_nearer:
                    assert (waited == 0 || waited + warp_distance(one) <= WARPS - 1);
            end

            // The state inside, which makes the induction close.
            last_in_range: assert (last < WARPS && at < GROUPS);
            above_inside: assert (dut.above == above);
            from_inside: assert (dut.from == from);
            place_inside: assert (dut.place == marked);
            if (PIPELINE) begin
                choice_in_range: assert (!was_chosen ||
                                         (was_place < GROUPS && was_holding[was_place]));
                choice_if_holding: assert (was_chosen == (was_holding != 0));
                if (was_chosen && was_holding[one_place]) begin
                    choice_is_first: assert (place_distance(was_place, at) <=
                                             place_distance(one_place, at));
                end
            end
        end
        // One that was passed over by all others gets its turn: all warps are in one group.
        shows_turn_comes:
            cover (started && (GREEDY || WITHIN == 1 || waited == WARPS - 1) && grant_valid_o &&
                   grant_oh_o[one] && grant_taken_i && grant_warp_o == WARPS - 1);
        last_place_wins:
            cover (started && grant_valid_o && grant_group_o == GROUPS - 1 && any_last &&
                   at != GROUPS - 1 && has_ready[0] && ROTATE);
    end
endmodule

`default_nettype wire
