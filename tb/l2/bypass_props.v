// SPDX-License-Identifier: Apache-2.0
// Properties of wm_bypass.
`default_nettype none

// The head, with dut and started, is made from wm_bypass: python/warpmem/tools/props.py.
`BEGIN_bypass_props
    localparam PORT_BITS = PORTS > 1 ? $clog2(PORTS) : 1;
    localparam WORD_BITS = DATA_BITS + 2;
    localparam REQUESTERS = PORTS > 1 ? PORTS : 2;

    // One arbitrary port, and what happens there.
    (* anyconst *) wire [PORT_BITS-1:0] one;
    always @* begin
        assume (one < PORTS);
    end

    wire [1:0]           kind      = req_kind_i >> 2 * one;
    wire [DATA_BITS-1:0] data      = req_data_i >> one * DATA_BITS;
    wire [1:0]           found     = look_class_i >> 2 * one;
    wire                 for_bank  = arb_valid_o[one];
    wire                 for_dram  = byp_valid_o && byp_port_o == one;
    wire [DATA_BITS-1:0] bank_data = arb_data_o >> one * DATA_BITS;
    wire [1:0]           class     = arb_class_o >> 2 * one;
    wire                 enters    = req_valid_i[one] && req_ready_o[one];
    wire                 leaves    = (for_bank && arb_ready_i[one]) || (for_dram && byp_ready_i);

    // The requests inside as the ports tell, and one arbitrary one of them: how many are ahead of
    // it, whether it entered in the last cycle, and the class that was found for it then.
    (* anyseq *) wire pick;
    reg [1:0]           inside;
    reg                 tracked, ahead, fresh, its_keep;
    reg [1:0]           its_kind, its_class;
    reg [DATA_BITS-1:0] its_data;
    wire [1:0] class_now = !fresh ? its_class : look_known_i[one] ? found : 2'd1;
    // The last cycle: an offer that was not taken.
    reg                 held_bank, held_dram, held_allocate;
    reg [1:0]           held_class;
    reg [DATA_BITS-1:0] held_data;
    // For how many requests of others the port has been waiting for the DRAM.
    wire                waits = dut.to_dram[one];
    reg [2:0]           waited;

    always @(posedge clk_i) begin
        inside    <= inside + enters - leaves;
        fresh     <= 1'b0;
        its_class <= class_now;
        if (tracked && leaves) begin
            tracked <= ahead;
            ahead   <= 1'b0;
        end
        if (!tracked && enters && pick) begin
            tracked  <= 1'b1;
            ahead    <= inside != leaves;
            fresh    <= 1'b1;
            its_kind <= kind;
            its_keep <= req_keep_i[one];
            its_data <= data;
        end
        held_bank     <= for_bank && !arb_ready_i[one];
        held_dram     <= waits && !leaves;
        held_allocate <= arb_allocate_o[one];
        held_class    <= class;
        held_data     <= bank_data;
        if (!waits || leaves) begin
            waited <= 0;
        end else if (byp_valid_o && byp_ready_i) begin
            waited <= waited + 1'b1;
        end
        if (rst_i) begin
            inside    <= 0;
            tracked   <= 1'b0;
            held_bank <= 1'b0;
            held_dram <= 1'b0;
            waited    <= 0;
        end
    end

    // The paper's rule for the tracked request, when it is the oldest.
    wire streams  = class_now == 2'd0 && !its_keep;
    wire to_dram  = streams && (its_kind == 2'd0 || (STORES != 0 && its_kind != 2'd2));
    wire oldest   = tracked && !ahead;

    // The state inside, for the induction.
    wire                 its_place    = dut.out_q[one] ^ ahead;
    wire [WORD_BITS-1:0] word_there   =
        (its_place ? dut.place1_q: dut.place0_q) >> one * WORD_BITS;
    wire [1:0]           class_there  = (its_place ? dut.class1_q: dut.class0_q) >> 2 * one;
    wire                 youngest     = tracked && (ahead || inside == 1);
    wire [WORD_BITS-1:0] its_word     =
        {its_kind == 2'd0 || (STORES != 0 && its_kind != 2'd2), its_keep, its_data};

    always @* begin
        if (started) begin
            // Two places, and room exactly while one is free.
            room_iff_a_place_is_free: assert (inside <= 2 && req_ready_o[one] == (inside < 2));
            // The oldest request is always offered, to one side alone; nothing else is.
            for_bank_or_dram: assert ((inside != 0) == (for_bank || waits));
            not_for_both: assert (!(for_bank && waits));
            dram_gets_who_waits: assert (!for_dram || waits);
            dram_gets_somebody: assert (!waits || byp_valid_o);
            dram_port_in_range: assert (!byp_valid_o || byp_port_o < PORTS);
            // An offer stays as it is until it is taken, whatever is looked up meanwhile.
            if (held_bank) begin
                bank_offer_is_stable:
                    assert (for_bank && bank_data == held_data && class == held_class &&
                            arb_allocate_o[one] == held_allocate);
            end
            if (held_dram) begin
                dram_request_is_stable: assert (waits);
            end
            // The arbitrary request is never lost, ...
            if (tracked) begin
                nothing_lost: assert (ahead < inside);
            end
            // ... comes in its turn to where the paper sends it (4.2, 6.4), unchanged, with its
            // class: so neither is it doubled or out of order.
            if (oldest) begin
                goes_where_it_shall: assert (waits == to_dram && for_bank == !to_dram);
                if (for_bank) begin
                    bank_gets_its_data: assert (bank_data == its_data);
                    bank_gets_its_class: assert (class == class_now);
                    bypassing_warps_take_no_line: assert (arb_allocate_o[one] == !streams);
                end
                if (for_dram) begin
                    dram_gets_its_data: assert (byp_data_o == its_data);
                end
            end
            // An atomic never bypasses, nor a store without STORES.
            if (oldest && (its_kind == 2'd2 || (STORES == 0 && its_kind != 2'd0))) begin
                atomics_access_the_l2: assert (for_bank);
            end
            // Where nothing is offered, there is nothing.
            if (!for_bank) begin
                nothing_is_zero: assert (bank_data == 0 && class == 0 && !arb_allocate_o[one]);
            end
            // A port waits for the DRAM while at most each other port is served once.
            no_starvation: assert (waited <= PORTS - 1);

            // The state inside, which makes the induction close.
            places: assert (dut.held_q[one] == (inside != 0) && dut.full_q[one] == inside[1]);
            next_place: assert (dut.in_q[one] == (dut.out_q[one] ^ inside[0]));
            if (tracked) begin
                freshness: assert (youngest || !fresh);
                fresh_inside: assert (!youngest || fresh == dut.fresh_q[one]);
                in_its_place: assert (word_there == its_word);
                if (!fresh) begin
                    class_in_its_place: assert (class_there == its_class);
                end
            end
            fresh_is_inside: assert (!dut.fresh_q[one] || inside != 0);
        end
        full_and_still_asked: cover (started && inside == 2 && leaves && req_valid_i[one]);
        // A request whose class is known by now passes by the L2.
        shows_bypass:
            cover (started && oldest && for_dram && byp_ready_i && its_data != 0 && !fresh);
        atomic_to_its_bank: cover (started && oldest && for_bank && its_kind == 2'd2 && streams);
        last_in_turn: cover (started && waited == PORTS - 1 && for_dram && byp_ready_i);
    end

    // The turn, which bounds the wait: ones above the last port that was served.
    reg  [PORT_BITS-1:0]  first_port;
    wire [2:0]            unused_ports = 3'b111 << (REQUESTERS - 1);
    wire [2:0]            turn =
        first_port == 0 ? 3'b000 : 3'b111 << (first_port - 1'b1);
    wire [PORT_BITS:0]    distance = one >= first_port ? {1'b0, one} - first_port
                                                       : REQUESTERS + {1'b0, one} - first_port;
    always @(posedge clk_i) begin
        if (byp_valid_o && byp_ready_i) begin
            first_port <= byp_port_o == REQUESTERS - 1 ? 0 : byp_port_o + 1'b1;
        end
        if (rst_i) begin
            first_port <= 0;
        end
    end
    always @* begin
        if (started) begin
            turn_in_range: assert (first_port < REQUESTERS);
            turn_inside: assert ((dut.turn.turn_q | unused_ports) == (turn | unused_ports));
            waiting_brings_nearer: assert (waited == 0 || waited + distance <= PORTS - 1);
        end
    end
endmodule

`default_nettype wire
