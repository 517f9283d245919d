// SPDX-License-Identifier: Apache-2.0
// Properties of wm_bank_arbiter.
`default_nettype none

// The head, with dut and started, is made from wm_bank_arbiter: python/warpmem/tools/props.py.
`BEGIN_bank_arbiter_props
    localparam BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam PORT_BITS = PORTS > 1 ? $clog2(PORTS) : 1;

    // One arbitrary bank; two arbitrary ports, of which one is followed.
    (* anyconst *) wire [BANK_BITS-1:0] bank;
    (* anyconst *) wire [PORT_BITS-1:0] one;
    (* anyconst *) wire [PORT_BITS-1:0] two;

    function [BANK_BITS-1:0] bank_of(input [PORT_BITS-1:0] port);
        bank_of = req_bank_i >> port * BANK_BITS;
    endfunction

    integer i;
    always @* begin
        assume (bank < BANKS);
        assume (one < PORTS);
        assume (two < PORTS);
        assume (turn_i < PORTS);
        for (i = 0; i < PORTS; i = i + 1) begin
            assume (!req_valid_i[i] || bank_of(i) < BANKS);
        end
    end

    // Grants of that bank; ports that request it, and those of them that are owed a turn.
    wire                 gets   = bank_valid_o[bank];
    wire [PORT_BITS-1:0] winner = bank_port_o >> bank * PORT_BITS;
    wire [DATA_BITS-1:0] data   = bank_data_o >> bank * DATA_BITS;
    reg  [PORTS-1:0]     asking;
    always @* begin
        for (i = 0; i < PORTS; i = i + 1) begin
            asking[i] = req_valid_i[i] && bank_of(i) == bank;
        end
    end

    // The rule in the words of the paper and the header, on its own account: who is owed a turn,
    // and how often the followed port was passed over since it began to ask for that bank.
    reg  [PORTS-1:0] debts;
    wire [PORTS-1:0] owed  = debts & asking;
    wire [PORTS-1:0] among = owed != 0 ? owed : asking;
    wire [PORTS-1:0] others = among & ~({{(PORTS-1){1'b0}}, 1'b1} << winner);
    reg  [3:0]       passed;
    localparam       MOST = 2 * (PORTS - 1);

    reg              last_room, last_rst;
    reg  [PORTS-1:0] last_debts;
    always @(posedge clk_i) begin
        if (gets) begin
            debts <= others;
        end
        if (!asking[one] || (gets && winner == one)) begin
            passed <= 0;
        end else if (gets) begin
            passed <= passed + 1'b1;
        end
        last_room  <= room_i[bank];
        last_rst   <= rst_i;
        last_debts <= debts;
        if (rst_i) begin
            debts  <= 0;
            passed <= 0;
        end
    end

    // A port's distance behind the one that is examined first.
    function [PORT_BITS:0] distance(input [PORT_BITS-1:0] port);
        distance = port >= turn_i ? {1'b0, port} - turn_i : PORTS + {1'b0, port} - turn_i;
    endfunction

    // Debts in number.
    reg [3:0] count;
    always @* begin
        count = 0;
        for (i = 0; i < PORTS; i = i + 1) begin
            count = count + debts[i];
        end
    end

    wire [BANKS*PORTS-1:0] owed_there = dut.owed_q >> bank * PORTS;

    always @* begin
        if (started) begin
            // A bank gets a request exactly when somebody asks for it and it has room.
            gets_iff_asked_and_room: assert (gets == (asking != 0 && room_i[bank]));
            if (gets) begin
                // It is the request of a port that asks for this very bank, ...
                winner_is_a_port: assert (winner < PORTS);
                winner_asks: assert (asking[winner]);
                // ... which leaves its port, with its own header.
                winner_leaves: assert (req_ready_o[winner]);
                data_is_the_winners:
                    assert (data == ((req_data_i >> winner * DATA_BITS) & {DATA_BITS{1'b1}}));
            end else begin
                // Where none comes, the rest is zero.
                nothing_is_zero: assert (winner == 0 && data == 0);
            end
            // A request leaves its port only into its bank's queue.
            if (req_ready_o[one]) begin
                leaves_as_it_asks: assert (req_valid_i[one]);
                leaves_into_its_bank: assert (bank_of(one) != bank || (gets && winner == one));
            end
            // Grants are one-hot a bank: of two ports that ask for the same one at most one leaves.
            if (one != two && req_ready_o[one] && req_ready_o[two]) begin
                one_hot_a_bank: assert (bank_of(one) != bank_of(two));
            end
            // Ports that are owed a turn come first; ...
            if (gets && owed != 0) begin
                owed_first: assert (debts[winner]);
            end
            // ... among equals, nobody stands between the first in turn and the winner.
            if (gets && among[one]) begin
                first_from_the_turn: assert (distance(winner) <= distance(one));
            end
            // Owed turns change only with a grant.
            if (!last_room && !last_rst) begin
                full_bank_owes_as_before: assert (debts == last_debts);
            end
            // A port that keeps asking is passed over a bounded number of times: no starvation.
            no_starvation: assert (passed <= MOST);

            // The state inside, which makes the induction close: the bank's debts, never of all
            // ports; and each time that the port is passed over brings it nearer, while it is owed
            // nothing by the debts of others, then by its own round.
            debts_inside: assert (debts == owed_there[PORTS-1:0]);
            never_all: assert (count <= PORTS - 1);
            passing_brings_nearer:
                assert (passed == 0 ||
                        passed + count + (debts[one] ? 0 : PORTS) <= MOST + 1);
        end
        // A port that was passed over as often as may be gets its bank.
        shows_turn_comes:
            cover (started && PORTS > 1 && passed == MOST && gets && winner == one);
        last_port_last_bank:
            cover (started && gets && winner == PORTS - 1 && bank == BANKS - 1 && data != 0);
        bank_without_room: cover (started && debts != 0 && asking != 0 && !room_i[bank]);
    end
endmodule

`default_nettype wire
