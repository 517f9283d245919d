// SPDX-License-Identifier: Apache-2.0
// wm_bank_arbiter: the unified arbiter between the ports of a memory partition and the request
// queues of its L2 banks.
//
// Channels   req: each port shows its oldest request.  bank: each bank gets one of those for it.
// Timing     combinational from req, turn and room to req_ready and bank; a bank's request is in
//            the bank's queue from the next cycle on.
// Choice     among the ports that ask, those that are owed a turn at the bank go first; among equal
//            ones the first from turn_i upwards, round the end. The others of those are owed a turn
//            from then on, and no port besides. A bank without room gets nothing and owes as
//            before.
// Progress   a port that keeps asking is passed over at most 2 * (PORTS - 1) times by its bank.
// Same cycle banks do not compete: a port shows one request.
// Limits     PORTS 1 to 4, BANKS 1 to 16, DATA_BITS 1 to 64 (checked at elaboration); req_bank_i
//            below BANKS where req_valid_i, turn_i below PORTS.
// Cost       PORTS * BANKS flip-flops; a multiplexer of DATA_BITS from PORTS a bank.
// Source     Ausavarungnirun et al., PACT 2015 (MeDiC), section 5.
// Twins      cmodel/l2/bank_arbiter.c  tb/l2/bank_arbiter_test.c  tb/l2/bank_arbiter_props.v
//            waves/l2/bank_arbiter.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_bank_arbiter #(
    parameter integer PORTS     = 2, // ports of the partition
    parameter integer BANKS     = 2, // its banks
    parameter integer DATA_BITS = 64 // bits of a request header
) (
    input  wire                                               clk_i,        // clock
    input  wire                                               rst_i,        // synchronous
    input  wire [PORTS-1:0]                                   req_valid_i,  // requests at the ports
    input  wire [PORTS*(BANKS > 1 ? $clog2(BANKS) : 1)-1:0]   req_bank_i,   // their banks
    input  wire [PORTS*DATA_BITS-1:0]                         req_data_i,   // headers
    input  wire [(PORTS > 1 ? $clog2(PORTS) : 1)-1:0]         turn_i,       // examined first
    input  wire [BANKS-1:0]                                   room_i,       // banks with room
    output wire [PORTS-1:0]                                   req_ready_o,  // leave at this edge
    output wire [BANKS-1:0]                                   bank_valid_o, // banks that get one
    output wire [BANKS*(PORTS > 1 ? $clog2(PORTS) : 1)-1:0]   bank_port_o,  // from this port
    output wire [BANKS*DATA_BITS-1:0]                         bank_data_o   // its header
);
    localparam integer BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam integer PORT_BITS = PORTS > 1 ? $clog2(PORTS) : 1;

    generate
        if (PORTS < 1 || PORTS > 4 || BANKS < 1 || BANKS > 16 ||
            DATA_BITS < 1 || DATA_BITS > 64) begin : g_illegal
            wm_bank_arbiter_parameters_out_of_range illegal ();
        end
    endgenerate

    // Ports that are owed a turn at a bank: PORTS bits a bank.
    reg  [BANKS*PORTS-1:0] owed_q;
    wire [BANKS*PORTS-1:0] owed_d;
    wire [BANKS*PORTS-1:0] grant_oh;

    // The ports from the first in turn upwards.
    wire [PORTS-1:0] ahead = {PORTS{1'b1}} << turn_i;

    // Marks the lowest of some ports.
    `WM_LOWEST_OF(lowest, PORTS)

    // The number of a port, and its header.
    `WM_NUMBER_OF(number_of, PORTS, PORT_BITS)

    `WM_WORD_OF(data_of, PORTS, DATA_BITS)

    // The grants of one port, at all banks.
    function served(input integer port, input [BANKS*PORTS-1:0] grants);
        integer i;
        begin
            served = 1'b0;
            for (i = 0; i < BANKS; i = i + 1) begin
                served = served || grants[i*PORTS + port];
            end
        end
    endfunction

    genvar b, p;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : g_bank
            localparam [BANK_BITS-1:0] NUMBER = b;
            wire [PORTS-1:0] wanting; // ports with a request for this bank
            for (p = 0; p < PORTS; p = p + 1) begin : g_port
                assign wanting[p] =
                    req_valid_i[p] && req_bank_i[p*BANK_BITS +: BANK_BITS] == NUMBER;
            end

            wire [PORTS-1:0] owed   = owed_q[b*PORTS +: PORTS] & wanting;
            wire [PORTS-1:0] among  = |owed ? owed : wanting;
            wire [PORTS-1:0] first  = |(among & ahead) ? among & ahead : among;
            wire [PORTS-1:0] winner = lowest(first);
            wire             gives  = room_i[b] && |wanting;

            assign grant_oh[b*PORTS +: PORTS] = winner & {PORTS{room_i[b]}};
            assign owed_d[b*PORTS +: PORTS] =
                rst_i ? {PORTS{1'b0}} : gives ? among & ~winner : owed_q[b*PORTS +: PORTS];

            assign bank_valid_o[b] = gives;
            assign bank_port_o[b*PORT_BITS +: PORT_BITS] = number_of(grant_oh[b*PORTS +: PORTS]);
            assign bank_data_o[b*DATA_BITS +: DATA_BITS] =
                data_of(req_data_i, grant_oh[b*PORTS +: PORTS]);
        end
        for (p = 0; p < PORTS; p = p + 1) begin : g_ready
            assign req_ready_o[p] = served(p, grant_oh);
        end
    endgenerate

    always @(posedge clk_i) begin
        owed_q <= owed_d;
    end
endmodule

`default_nettype wire
