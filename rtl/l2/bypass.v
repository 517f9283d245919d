// SPDX-License-Identifier: Apache-2.0
// wm_bypass: warp-type-aware cache bypassing. At the ends of a memory partition's ports, it sends
// requests of mostly-miss and all-miss warps to the DRAM and all others to the bank arbiter.
//
// Channels   req: a request enters at its port.  look: the class of the one that entered in the
//            last cycle.  arb: the oldest request of a port, for its bank.  byp: one for the DRAM.
// Timing     a port has two places that take turns. A request that enters in cycle n may leave in
//            n + 1, by the class that look_* shows then; a port takes one request a cycle. A
//            request is offered until it is taken, and blocks those behind it.
// To the DRAM a read of class 0 (miss) without req_keep; with STORES a write or write-back too,
//            never an atomic. Ports take turns; the turn moves when a request is taken.
// To a bank  everything else. A request of class 0 without req_keep may not take a line there.
// Same cycle req_ready_o ignores departures; no output depends on arb_ready_i or byp_ready_i.
// Limits     PORTS 1 to 4, DATA_BITS 1 to 64, STORES 0 or 1 (checked at elaboration).
// Cost       a port 2 * DATA_BITS + 13 flip-flops; a round-robin arbiter.
// Source     Ausavarungnirun et al., PACT 2015 (MeDiC), sections 4.2 and 6.4. cmodel/l2/bypass.h
//            explains the order of requests and what a chip needs beside this.
// Twins      cmodel/l2/bypass.c  tb/l2/bypass_test.c  tb/l2/bypass_props.v  waves/l2/bypass.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_bypass #(
    parameter integer PORTS     = 2,  // ports of the partition
    parameter integer DATA_BITS = 64, // bits of a request header
    parameter integer STORES    = 0   // stores of a bypassing warp: 0 to their bank, 1 to the DRAM
) (
    input  wire                                       clk_i,          // clock
    input  wire                                       rst_i,          // synchronous; empties it
    input  wire [PORTS-1:0]                           req_valid_i,    // requests ask to enter
    input  wire [2*PORTS-1:0]                         req_kind_i,     // read write atomic writeback
    input  wire [PORTS-1:0]                           req_keep_i,     // never bypass
    input  wire [PORTS*DATA_BITS-1:0]                 req_data_i,     // headers
    output wire [PORTS-1:0]                           req_ready_o,    // enter at this edge if valid
    input  wire [2*PORTS-1:0]                         look_class_i,   // 0 miss, 1 balanced, 2 3 hit
    input  wire [PORTS-1:0]                           look_known_i,   // else it is balanced
    output wire [PORTS-1:0]                           arb_valid_o,    // requests for the banks
    output wire [PORTS*DATA_BITS-1:0]                 arb_data_o,     // headers
    output wire [2*PORTS-1:0]                         arb_class_o,    // classes
    output wire [PORTS-1:0]                           arb_allocate_o, // they may take a line
    input  wire [PORTS-1:0]                           arb_ready_i,    // late: taken at this edge
    output wire                                       byp_valid_o,    // a request for the DRAM
    output wire [(PORTS > 1 ? $clog2(PORTS) : 1)-1:0] byp_port_o,     // from this port
    output wire [DATA_BITS-1:0]                       byp_data_o,     // its header
    input  wire                                       byp_ready_i     // late: taken at this edge
);
    localparam [1:0] READ     = 2'd0;
    localparam [1:0] ATOMIC   = 2'd2;
    localparam [1:0] MISS     = 2'd0;
    localparam [1:0] BALANCED = 2'd1;
    localparam       DIRECT   = STORES != 0;

    generate
        if (PORTS < 1 || PORTS > 4 || DATA_BITS < 1 || DATA_BITS > 64 ||
            STORES < 0 || STORES > 1) begin : g_illegal
            wm_bypass_parameters_out_of_range illegal ();
        end
    endgenerate

    // Each has a bit a port.
    reg  [PORTS-1:0] held_q, held_d;   // a place is taken
    reg  [PORTS-1:0] full_q, full_d;   // both are
    reg  [PORTS-1:0] fresh_q, fresh_d; // the youngest request entered in the last cycle
    reg  [PORTS-1:0] in_q, in_d;       // the place that the next request takes
    reg  [PORTS-1:0] out_q, out_d;     // the place of the oldest request
    wire [PORTS-1:0] to_dram;          // the oldest request bypasses
    wire [PORTS-1:0] granted;          // it is the one that byp offers

    wire [PORTS-1:0] enters = req_valid_i & ~full_q;
    wire [PORTS-1:0] leaves = (arb_valid_o & arb_ready_i) | (granted & {PORTS{byp_ready_i}});

    assign req_ready_o = ~full_q;
    assign arb_valid_o = held_q & ~to_dram;

    // With one port the second requester never asks.
    localparam integer REQUESTERS = PORTS > 1 ? PORTS : 2;
    wire [REQUESTERS-1:0] asks;
    wire [REQUESTERS-1:0] grant_oh;
    wm_round_robin_arbiter #(.REQUESTERS(REQUESTERS)) turn (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .req_valid_i(asks),
        .grant_valid_o(byp_valid_o),
        .grant_oh_o(grant_oh),
        .grant_index_o(byp_port_o),
        .grant_taken_i(byp_ready_i)
    );
    generate
        if (PORTS > 1) begin : g_turns
            assign asks    = to_dram;
            assign granted = grant_oh;
        end else begin : g_alone
            wire unused_grant = grant_oh[1];
            assign asks    = {1'b0, to_dram};
            assign granted = grant_oh[0];
        end
    endgenerate

    always @* begin
        held_d  = enters | full_q | (held_q & ~leaves);
        full_d  = (full_q | (enters & held_q)) & ~leaves;
        fresh_d = enters;
        in_d    = in_q ^ enters;
        out_d   = out_q ^ leaves;
        if (rst_i) begin
            held_d  = {PORTS{1'b0}};
            full_d  = {PORTS{1'b0}};
            fresh_d = {PORTS{1'b0}};
            in_d    = {PORTS{1'b0}};
            out_d   = {PORTS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        held_q  <= held_d;
        full_q  <= full_d;
        fresh_q <= fresh_d;
        in_q    <= in_d;
        out_q   <= out_d;
    end

    // The request at each port: it may bypass if its warp does; its line is to be kept; its header.
    localparam integer WORD_BITS = DATA_BITS + 2;
    reg  [PORTS*WORD_BITS-1:0] place0_q, place1_q;
    reg  [2*PORTS-1:0]         class0_q, class1_q;
    wire [PORTS*DATA_BITS-1:0] first_data;

    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_port
            wire [1:0]           kind = req_kind_i[2*p +: 2];
            wire                 may  = kind == READ || (DIRECT && kind != ATOMIC);
            wire [WORD_BITS-1:0] word =
                {may, req_keep_i[p], req_data_i[p*DATA_BITS +: DATA_BITS]};
            wire [WORD_BITS-1:0] first =
                out_q[p] ? place1_q[p*WORD_BITS +: WORD_BITS] : place0_q[p*WORD_BITS +: WORD_BITS];

            // The youngest request is in the place before the next one to be taken.
            wire [1:0] found       = look_known_i[p] ? look_class_i[2*p +: 2] : BALANCED;
            wire [1:0] old_class   = out_q[p] ? class1_q[2*p +: 2] : class0_q[2*p +: 2];
            wire [1:0] first_class = fresh_q[p] && !full_q[p] ? found : old_class;
            wire       streams     = first_class == MISS && !first[DATA_BITS];

            always @(posedge clk_i) begin
                if (enters[p] && !in_q[p]) begin
                    place0_q[p*WORD_BITS +: WORD_BITS] <= word;
                end
                if (enters[p] && in_q[p]) begin
                    place1_q[p*WORD_BITS +: WORD_BITS] <= word;
                end
                if (fresh_q[p] && in_q[p]) begin
                    class0_q[2*p +: 2] <= found;
                end
                if (fresh_q[p] && !in_q[p]) begin
                    class1_q[2*p +: 2] <= found;
                end
            end

            assign to_dram[p]            = held_q[p] && streams && first[DATA_BITS+1];
            assign arb_allocate_o[p]     = arb_valid_o[p] && !streams;
            assign arb_class_o[2*p +: 2] = first_class & {2{arb_valid_o[p]}};
            assign first_data[p*DATA_BITS +: DATA_BITS] = first[DATA_BITS-1:0];
            assign arb_data_o[p*DATA_BITS +: DATA_BITS] =
                first[DATA_BITS-1:0] & {DATA_BITS{arb_valid_o[p]}};
        end
    endgenerate

    `WM_WORD_OF(data_of, PORTS, DATA_BITS)
    assign byp_data_o = data_of(first_data, granted);
endmodule

`default_nettype wire
