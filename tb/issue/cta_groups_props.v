// SPDX-License-Identifier: Apache-2.0
// Promises of wm_cta_groups (OWL, ASPLOS 2013, algorithm 1 and sections 4.1 to 4.3). The core around
// it keeps to its side: see `assume`.
`default_nettype none

// The head, with dut and started, is made from wm_cta_groups: python/warpmem/tools/props.py.
`BEGIN_cta_groups_props
    localparam RANK_BITS  = $clog2(CTAS);
    localparam CORE_BITS  = 6;
    localparam ROTATES    = PRIORITY == 2;
    localparam BY_SLOT    = LIFE == 1;
    localparam [2:0] FORMED = 0, SIZE = 1, DIVIDE = 2, TURN = 3, NUMBER = 4, TABLE = 5;

    // --- algorithm 1, on its own account -------------------------------------------------------
    // n: so many CTAs of k warps have MIN_WARPS, or all CTAs that the core gets.
    function [7:0] ctas_of_group(input [7:0] k, input [7:0] all);
        integer i;
        begin
            ctas_of_group = all;
            for (i = CTAS; i >= 1; i = i - 1) begin
                if (i * k >= MIN_WARPS && i < all) begin
                    ctas_of_group = i;
                end
            end
        end
    endfunction

    // The number of the group of a CTA, the rest in the last one.
    function [7:0] group_of(input [7:0] number, input [7:0] size, input [7:0] groups);
        integer i;
        begin
            group_of = 0;
            for (i = 1; i < CTAS; i = i + 1) begin
                if (i < groups && number >= i * size) begin
                    group_of = i;
                end
            end
        end
    endfunction

    // x mod y for x of 6 bits.
    function [7:0] rest_of(input [7:0] x, input [7:0] y);
        integer i;
        begin
            rest_of = x;
            for (i = CORE_BITS - 1; i >= 0; i = i - 1) begin
                if (rest_of >= y << i) begin
                    rest_of = rest_of - (y << i);
                end
            end
        end
    endfunction

    // (number - core) mod groups; turn is core mod groups.
    function [7:0] rank_of(input [7:0] group, input [7:0] groups, input [7:0] turn);
        rank_of = !ROTATES || groups == 1 ? group
                : group >= turn ? group - turn : group + groups - turn;
    endfunction

    // The launch, and how long ago it began.
    reg [7:0] k, all, core, size, groups, turn, age;
    reg       was_cleared;
    reg       first, was_first; // no CTA has been taken since the launch, before that one
    reg       launched; // since the reset
    wire [7:0] its_ctas = launch_ctas_i == 0 ? 1 : launch_ctas_i;
    wire [7:0] its_size = ctas_of_group(launch_warps_i, its_ctas);
    reg  [7:0] its_groups;
    integer q;
    always @* begin
        its_groups = 1;
        for (q = 2; q <= CTAS; q = q + 1) begin
            if (q * its_size <= its_ctas) begin
                its_groups = q;
            end
        end
    end
    wire [7:0] turn_cycles = ROTATES ? CORE_BITS : 0;
    wire [7:0] slot_cycles = BY_SLOT ? CTAS : 0;
    wire [7:0] form_cycles = size + groups + 2 + turn_cycles + slot_cycles;

    // --- CTAs and their warps ------------------------------------------------------------------
    wire              taken = start_valid_i && start_ready_o;
    reg  [WARPS-1:0]  resident;         // warps of CTAs that were taken and have not ended
    reg               was_taken, was_taken_before;
    reg  [WARPS-1:0]  was_started, was_ended, shown;
    reg  [7:0]        number;           // of the next CTA in its generation
    reg               later, begins;    // LIFE 0: behind the first CTAs; the next one's generation is new
    reg  [7:0]        was_rank;         // of the CTA that was taken
    reg               was_begins;
    wire [7:0]        generation_groups = later ? 1 : groups;
    wire [7:0]        generation_ctas   = later ? size : all;
    wire [7:0]        its_group = group_of(BY_SLOT ? start_slot_i : number, size, generation_groups);
    wire [7:0]        its_rank  = rank_of(its_group, generation_groups, turn);
    wire              is_last   = !BY_SLOT && number + 1 == generation_ctas;

    // Two arbitrary warps: where they are to be seen, and the ranks of their groups.
    (* anyconst *) wire [$clog2(WARPS)-1:0] one, two;
    reg        one_newest, two_newest, together;
    reg  [7:0] one_rank, two_rank;

    always @(posedge clk_i) begin
        was_cleared      <= rst_i || launch_valid_i;
        was_taken        <= taken;
        was_taken_before <= was_taken;
        was_ended        <= end_warps_i;
        shown            <= (shown | (was_started & {WARPS{was_taken_before}})) & ~was_ended;
        resident         <= (resident & ~end_warps_i) | (start_warps_i & {WARPS{taken}});
        age              <= age + (age != 255);
        if (taken) begin
            first       <= 1'b0;
            was_first   <= first;
            was_started <= start_warps_i;
            was_rank    <= its_rank;
            was_begins  <= begins;
            if (!BY_SLOT) begin
                number <= is_last ? 0 : number + 1;
                begins <= is_last;
                later  <= later || (LIFE == 0 && is_last);
            end
            if (start_warps_i[one] || start_warps_i[two]) begin
                together <= start_warps_i[one] && start_warps_i[two];
            end
        end
        if (was_taken && was_begins) begin
            one_newest <= 1'b0;
            two_newest <= 1'b0;
        end
        if (was_taken_before && was_started[one]) begin
            one_newest <= 1'b1;
            one_rank   <= was_rank;
        end
        if (was_taken_before && was_started[two]) begin
            two_newest <= 1'b1;
            two_rank   <= was_rank;
        end
        if (launch_valid_i) begin
            k         <= launch_warps_i;
            all       <= its_ctas;
            core      <= core_i;
            size      <= its_size;
            groups    <= its_groups;
            turn      <= rest_of(core_i, its_groups);
            age       <= 0;
            launched  <= 1'b1;
            number    <= 0;
            first     <= 1'b1;
            later     <= 1'b0;
            begins    <= 1'b0;
            shown     <= 0;
            resident  <= 0;
            was_ended <= 0;
            was_taken <= 1'b0;
            was_taken_before <= 1'b0;
        end
        if (rst_i) begin
            launched  <= 1'b0;
            age       <= 255;
            shown     <= 0;
            resident  <= 0;
            was_ended <= 0;
            was_taken <= 1'b0;
            was_taken_before <= 1'b0;
            groups    <= 1;
        end
    end

    // The places of the two warps.
    reg [CTAS-1:0] one_at, two_at, empty;
    integer p;
    always @* begin
        for (p = 0; p < CTAS; p = p + 1) begin
            one_at[p] = group_warps_o[p*WARPS + one];
            two_at[p] = group_warps_o[p*WARPS + two];
            empty[p]  = group_warps_o[p*WARPS +: WARPS] == 0;
        end
    end

    // The CTA's group, where there is one; seen in the cycle after its start.
    reg joins;
    always @* begin
        joins = 1'b0;
        for (p = 0; p < CTAS; p = p + 1) begin
            joins = joins || (dut.used_q[p] && dut.newest[p] &&
                              dut.ranks_q[p*RANK_BITS +: RANK_BITS] == was_rank);
        end
    end

    always @* begin
        assume (one < WARPS && two < WARPS);
        assume (!launch_valid_i || (launch_warps_i != 0 && launch_warps_i <= WARPS &&
                                    launch_ctas_i <= CTAS));
        // A launch begins on an empty core.
        assume (!launch_valid_i || (resident & ~end_warps_i) == 0);
        // A CTA starts after the launch, with warps that nobody has, in a slot that there is.
        assume (!start_valid_i || (launched && start_warps_i != 0 && start_slot_i < CTAS));
        assume (!start_valid_i || (start_warps_i & resident) == 0);
        // Warps end that have started.
        assume ((end_warps_i & ~resident) == 0);
        // Fewer than CTAS other CTAs are resident, or ended in the cycle of the start, and each
        // group has a warp of one: so there is an empty place.
        assume (!was_taken || joins || empty != 0);
    end

    // --- the state inside ------------------------------------------------------------------------
    wire forming = dut.phase_q != FORMED;
    // A reset and a launch clear the warps; the flags follow in the next cycle.
    wire [CTAS-1:0] used = dut.used_q & {CTAS{!was_cleared}};
    reg  [CTAS-1:0] used_right, ranks_right;
    reg             order_right;
    // The CTA may join a group whose other warps end as it comes.
    wire [CTAS-1:0] in_use = used | dut.same_q;
    integer i, j;
    always @* begin
        order_right = 1'b1;
        for (i = 0; i < CTAS; i = i + 1) begin
            used_right[i]  = used[i] == (dut.warps_q[i*WARPS +: WARPS] != 0);
            ranks_right[i] =
                (!(dut.warps_q[i*WARPS + one]) ||
                 (dut.ranks_q[i*RANK_BITS +: RANK_BITS] == one_rank &&
                  dut.newest[i] == (one_newest && !(was_taken && was_begins)))) &&
                (!(dut.warps_q[i*WARPS + two]) ||
                 (dut.ranks_q[i*RANK_BITS +: RANK_BITS] == two_rank &&
                  dut.newest[i] == (two_newest && !(was_taken && was_begins))));
            for (j = 0; j < i; j = j + 1) begin
                if (in_use[i] && in_use[j]) begin
                    // Older generations first, then lower ranks; no two groups of the newest one
                    // with the same rank.
                    order_right = order_right &&
                        (PRIORITY == 0
                             ? !(dut.newest[i] && dut.newest[j] &&
                                 dut.ranks_q[i*RANK_BITS +: RANK_BITS] ==
                                 dut.ranks_q[j*RANK_BITS +: RANK_BITS])
                             : !(dut.newest[j]) ||
                               (dut.newest[i] && dut.ranks_q[j*RANK_BITS +: RANK_BITS] <
                                                 dut.ranks_q[i*RANK_BITS +: RANK_BITS]));
                end
            end
        end
    end

    // The placed CTA changes the places: it joins a used one, or goes to place `to` while those
    // between it and a hole move by one.
    reg  [CTAS-1:0] moving_right;
    reg             move_right, some_move, to_order_right;
    reg  [7:0]      to, hole;
    always @* begin
        to   = 0;
        hole = 0;
        for (i = CTAS - 1; i >= 0; i = i - 1) begin
            if (dut.fresh_q[i]) begin
                to = i;
            end
        end
        for (i = 0; i < CTAS; i = i + 1) begin
            if (dut.below[i]) begin
                hole = i;
            end
        end
        some_move = (dut.below | dut.above_it) != 0;
        if (dut.below == 0) begin
            hole = to;
            for (i = CTAS - 1; i >= 0; i = i - 1) begin
                if (dut.above_it[i]) begin
                    hole = i;
                end
            end
        end
        move_right = to < CTAS && hole < CTAS && !(dut.used_q[hole]);
        for (i = 0; i < CTAS; i = i + 1) begin
            moving_right[i] = dut.fresh_q[i] == (i == to) &&
                              dut.below[i] == (i > to && i <= hole) &&
                              dut.above_it[i] == (i < to && i >= hole);
        end
        // Groups that stay or move before `to` come before the new one, those after it after.
        to_order_right = 1'b1;
        for (i = 0; i < CTAS; i = i + 1) begin
            if (dut.used_q[i] && PRIORITY != 0) begin
                if (i < to || (i == to && hole < to)) begin
                    to_order_right = to_order_right && !(dut.newest[i] &&
                        dut.ranks_q[i*RANK_BITS +: RANK_BITS] >= dut.start_rank_q);
                end else begin
                    to_order_right = to_order_right && dut.newest[i] &&
                        dut.ranks_q[i*RANK_BITS +: RANK_BITS] > dut.start_rank_q;
                end
            end
            if (dut.used_q[i] && PRIORITY == 0) begin
                to_order_right = to_order_right && !(dut.newest[i] &&
                    dut.ranks_q[i*RANK_BITS +: RANK_BITS] == dut.start_rank_q);
            end
        end
    end

    reg  [CTAS-1:0] same_right;
    always @* begin
        for (i = 0; i < CTAS; i = i + 1) begin
            same_right[i] = !(dut.same_q[i]) ||
                (dut.newest[i] && dut.ranks_q[i*RANK_BITS +: RANK_BITS] == was_rank);
        end
    end

    // The rank of a group, of which those of the slots that are in the table so far are right.
    reg [CTAS-1:0] slots_right;
    always @* begin
        for (i = 0; i < CTAS; i = i + 1) begin
            slots_right[i] = !BY_SLOT || !launched ||
                (forming && !(dut.phase_q == TABLE && dut.step_q > i)) ||
                dut.slot_ranks[i*RANK_BITS +: RANK_BITS] ==
                rank_of(group_of(i, size, groups), groups, turn);
        end
    end

    // The next CTA, or slot, that is numbered.
    wire [7:0] next_number = BY_SLOT ? dut.step_q: number;
    wire [7:0] next_groups = BY_SLOT ? groups : generation_groups;
    wire [7:0] next_group  = group_of(next_number, size, next_groups);
    wire       numbering   = launched && (BY_SLOT ? dut.phase_q == TABLE : !forming);
    // Bits of core that the remainder knows.
    wire [7:0] known_core  = core >> (CORE_BITS - dut.step_q);

    always @* begin
        if (started) begin
            // Every warp is in one group from three cycles after its CTA's start to two cycles
            // after its end, and in none before and after; while a launch is worked out all are in
            // the first place.
            if (formed_o) begin
                in_a_group_while_resident: assert ((one_at != 0) == shown[one]);
                in_one_group: assert ((one_at & (one_at - 1'b1)) == 0);
                the_other_too: assert ((two_at != 0) == shown[two] && (two_at & (two_at - 1'b1)) == 0);
                // CTAs are not torn apart, and groups are those of algorithm 1: the CTAs of the
                // newest generation with the same rank.
                if (shown[one] && shown[two]) begin
                    cta_stays_together: assert (!together || one_at == two_at);
                    group_is_of_one_rank: assert (!one_newest || !two_newest ||
                        (was_taken && was_begins) || (one_at == two_at) == (one_rank == two_rank));
                    // Older generations first, and lower ranks.
                    if (PRIORITY != 0) begin
                        older_generation_first: assert (one_newest || !two_newest ||
                            (was_taken && was_begins) || one_at < two_at);
                        lower_rank_first: assert (!one_newest || !two_newest ||
                            (was_taken && was_begins) || one_rank >= two_rank || one_at < two_at);
                    end
                end
                groups_of_algorithm_1: assert (groups_o == groups);
            end else begin
                all_warps_are_one_group: assert (group_warps_o[WARPS-1:0] == {WARPS{1'b1}});
                others_are_empty: assert (group_warps_o >> WARPS == 0);
            end
            // A launch is worked out in so many cycles.
            formed_in_time: assert (formed_o == (age >= form_cycles) || !launched);
            formed_without_launch: assert (launched || formed_o);
            // A start is taken when the groups stand, in each other cycle.
            start_in_each_other_cycle: assert (start_ready_o ==
                (formed_o && !launch_valid_i && !was_taken));

            // The state inside, which makes the induction close.
            used_inside: assert (&used_right);
            cleared_empty: assert (!was_cleared || dut.warps_q == 0);
            warps_inside: assert ((dut.end_q == was_ended || was_cleared) && (!forming || shown == 0));
            start_inside: assert (dut.start_q == was_taken);
            starts_apart: assert (!was_taken || !was_taken_before);
            if (was_taken || was_taken_before) begin
                started_inside: assert (dut.start_warps_q == was_started &&
                                        dut.start_rank_q == was_rank && was_rank < CTAS);
                starts_hidden: assert ((shown & was_started) == 0);
                starts_resident: assert ((was_started & ~resident & ~was_ended) == 0);
            end
            if (was_taken) begin
                not_ended_yet: assert ((was_started & ~resident) == 0 && (was_started & was_ended) == 0);
            end
            // With no group it matters to nobody: after a reset, and for a launch's first CTA.
            begins_inside: assert (BY_SLOT || dut.start_begins == (was_taken && was_begins) ||
                                   used == 0);
            shown_resident: assert ((shown & ~resident & ~was_ended) == 0);
            resident_shown: assert ((resident & ~shown & ~(was_started & {WARPS{was_taken ||
                                     was_taken_before}})) == 0);
            ended_is_not_resident: assert ((was_ended & resident) == 0);
            forming_empty: assert (!forming || (used == 0 && resident == 0 && was_ended == 0 &&
                                                !was_taken && !was_taken_before));
            unlaunched_empty: assert (launched || (!forming && resident == 0 && shown == 0 &&
                                                   !was_taken && !was_taken_before));
            ranks_inside: assert (&ranks_right);
            order_inside: assert (order_right);
            moves_inside: assert (!(dut.makes_q) || (move_right && &moving_right && to_order_right));
            makes_inside: assert (!(dut.makes_q) || (was_taken_before && dut.same_q == 0));
            same_inside: assert (&same_right && (dut.same_q & (dut.same_q - 1'b1)) == 0);
            joins_inside: assert (!was_taken_before || dut.makes_q || dut.same_q != 0);
            one_in_its_place: assert (!was_taken_before || !shown[one] || !one_newest ||
                one_rank != was_rank || dut.same_q == one_at);
            same_is_set_alone: assert (was_taken_before || dut.same_q == 0);
            together_inside: assert (!together || !(was_taken || was_taken_before) ||
                                     was_started[one] == was_started[two]);
            if (launched) begin
                launch_inside: assert (k != 0 && k <= WARPS && all != 0 && all <= CTAS &&
                    size == ctas_of_group(k, all) && dut.ctas_q == all && dut.k_q == k &&
                    groups != 0 && groups <= all && groups * size <= all && (groups + 1) * size > all && core < 64 &&
                    turn == rest_of(core, groups));
                case (dut.phase_q)
                    SIZE: size_phase: assert (age == dut.size_q && dut.size_q < size &&
                        dut.sum_q == dut.size_q * k && dut.groups_q == 0 && dut.core_q == core);
                    DIVIDE: divide_phase: assert (age == size + dut.groups_q && dut.size_q == size &&
                        dut.groups_q <= groups && dut.rest_q == all - dut.groups_q * size &&
                        dut.core_q == core);
                    TURN: turn_phase: assert (ROTATES && dut.step_q < CORE_BITS &&
                        age == size + groups + 1 + dut.step_q &&
                        dut.rest_q == rest_of(known_core, groups) &&
                        dut.core_q == ((core << dut.step_q) & 6'h3f));
                    NUMBER: number_phase: assert (age == size + groups + 1 + turn_cycles);
                    TABLE: table_phase: assert (BY_SLOT && dut.step_q < CTAS &&
                        age == size + groups + 2 + turn_cycles + dut.step_q);
                    default: formed_phase: assert (dut.phase_q == FORMED && age >= form_cycles);
                endcase
                if (dut.phase_q != SIZE && dut.phase_q != DIVIDE) begin
                    groups_inside: assert (dut.size_q == size && dut.groups_q == groups);
                    turn_inside: assert (dut.phase_q == TURN ||
                                         dut.rest_q == (ROTATES ? turn : 0));
                end
            end
            first_number: assert (!forming || (number == 0 && !later && !begins && first));
            first_is_alone: assert (!first || !launched || (resident == 0 && shown == 0 && used == 0 &&
                !was_taken && !was_taken_before && number == 0 && !begins));
            first_was_alone: assert (!was_taken || !was_first || used == 0);
            cleared_inside: assert (!was_cleared || (age == 0 || !launched));
            slots_have_one_generation: assert (!BY_SLOT || !launched ||
                (number == 0 && !begins && (!was_taken || !was_begins)));
            if (numbering) begin
                number_inside: assert (BY_SLOT || (number < generation_ctas && (first || dut.begins == begins) &&
                    dut.coming == generation_ctas - number));
                rank_inside: assert (dut.rank_q == rank_of(next_group, next_groups, turn));
                more_inside: assert (dut.more_q == next_groups - next_group);
                room_inside: assert (next_group + 1 == next_groups ||
                                     dut.room_q == (next_group + 1) * size - next_number);
            end
            later_is_of_life_0: assert (LIFE == 0 || !later || !launched);
            slots_inside: assert (&slots_right);
        end
        // A generation behind another one, in two groups of which the second is first.
        shows_two_generations: cover (started && formed_o && shown[one] && shown[two] &&
                                      !one_newest && two_newest && one_at != two_at);
        group_of_two_ctas: cover (started && shown[one] && shown[two] && !together &&
                                  one_at == two_at);
        moves_to_make_room: cover (started && dut.makes_q && dut.below != 0);
        closes_a_gap: cover (started && dut.makes_q && dut.above_it != 0);
    end
endmodule

`default_nettype wire
