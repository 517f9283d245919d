// SPDX-License-Identifier: Apache-2.0
// Properties of the low queue's oldest request in wm_dual_queue with a BOUND: dual_queue_props is
// around it. Here is the rule of the turn, of commands and of who is the oldest; that the others
// keep to it (which banks are served, what is a candidate) stands in dual_queue_side_props.
`default_nettype none

module dual_queue_turn_props #(
    parameter BANKS     = 8,
    parameter BOUND     = 0,
    parameter BANK_BITS = $clog2(BANKS),
    parameter PASSED_BITS = BOUND < 1 ? 1 : $clog2(BOUND + 1)
) (
    input wire                 clk_i,
    input wire                 rst_i,
    input wire                 started,
    input wire [PASSED_BITS-1:0] counted, // as the block counts
    // The low queue's oldest request: there is one, its bank, its row is open, it is a write; it is
    // a candidate of the last cycle; its column command is issued.
    input wire                 oldest_taken,
    input wire [BANK_BITS-1:0] oldest_bank,
    input wire                 oldest_hit,
    input wire                 oldest_write,
    input wire                 oldest_column,
    input wire                 oldest_row,
    input wire                 oldest_issued,
    input wire                 cmd_valid_o,
    input wire [1:0]           cmd_kind_o,
    input wire [BANK_BITS-1:0] cmd_bank_o,
    input wire                 cmd_high_o,
    input wire                 cmd_last_o,
    input wire                 issued_write,
    input wire                 was_column,
    output wire [BANKS-1:0]    turn_bank,   // where that request has the turn
    output reg  [BANKS-1:0]    turn_bank_1, // in the last cycle
    output reg  [BANKS-1:0]    turn_bank_2, // and in the one before
    output wire                reads_wait,
    output wire                writes_wait,
    output reg                 reads_wait_1,
    output reg                 writes_wait_1,
    output reg                 low_first_1
);
    localparam [BANKS-1:0] BANK_0 = 1;
    wire is_column = cmd_valid_o && cmd_kind_o == 2'd0;
    wire is_row    = cmd_valid_o && cmd_kind_o != 2'd0;

    // High column commands since the oldest low request is that; those of its bank in its turn.
    reg  [8:0] passed;
    reg        passed_more;
    wire       turn = BOUND != 0 && passed == BOUND;
    wire       low_first = turn && ((oldest_column && !is_column) || (oldest_row && !is_row));
    reg        reads_wait_2, writes_wait_2;
    assign turn_bank   = (BANK_0 << oldest_bank) & {BANKS{turn}};
    assign reads_wait  = turn && oldest_hit && oldest_write;
    assign writes_wait = turn && oldest_hit && !oldest_write;
    always @(posedge clk_i) begin
        if (is_column && cmd_high_o && oldest_taken) begin
            passed      <= passed < BOUND ? passed + 1'b1 : passed;
            passed_more <= passed_more || (turn && cmd_bank_o == oldest_bank);
        end
        if (oldest_issued && cmd_last_o) begin
            passed      <= 9'd0;
            passed_more <= 1'b0;
        end
        turn_bank_1   <= turn_bank;
        turn_bank_2   <= turn_bank_1;
        reads_wait_1  <= reads_wait;
        reads_wait_2  <= reads_wait_1;
        writes_wait_1 <= writes_wait;
        writes_wait_2 <= writes_wait_1;
        low_first_1   <= low_first;
        if (rst_i) begin
            passed        <= 9'd0;
            passed_more   <= 1'b0;
            turn_bank_1   <= {BANKS{1'b0}};
            turn_bank_2   <= {BANKS{1'b0}};
            reads_wait_1  <= 1'b0;
            reads_wait_2  <= 1'b0;
            writes_wait_1 <= 1'b0;
            writes_wait_2 <= 1'b0;
            low_first_1   <= 1'b0;
        end
    end

    always @* begin
        if (started) begin
            // The count ends at BOUND, and an empty low queue has none.
            count_known: assert (counted == passed);
            count_in_range: assert (passed <= BOUND && (oldest_taken || passed == 9'd0));
            turn_has_its_request: assert (!turn || oldest_taken);
            // In its bank a turn lets no high command pass but what was a candidate before it:
            if (|(turn_bank & turn_bank_2) && cmd_valid_o && cmd_bank_o == oldest_bank) begin
                bank_is_its_own: assert (!cmd_high_o);
            end
            // so BOUND high column commands pass, wherever they are for, and then one for its bank.
            if (turn && is_column && cmd_high_o && cmd_bank_o == oldest_bank) begin
                one_more_at_most: assert (!passed_more);
            end
            turn_begins_after_a_column: assert (!turn || |turn_bank_1 || was_column);
            turn_stays: assert (!turn || !(|turn_bank_1) || turn_bank == turn_bank_1);
            passed_early: assert (!passed_more || (turn && turn_bank == turn_bank_1 &&
                                                   turn_bank == turn_bank_2));
            // While it only needs its column command, none of the other direction is issued.
            if (reads_wait_2 && is_column) begin
                no_read_before_its_write: assert (issued_write);
            end
            if (writes_wait_2 && is_column) begin
                no_write_before_its_read: assert (!issued_write);
            end
        end
    end
    generate
        if (BOUND != 0) begin : g_cover
            always @* begin
                turn_ends: cover (started && turn && oldest_issued && cmd_last_o);
                one_more_high_in_its_bank:
                    cover (started && turn && is_column && cmd_high_o && cmd_bank_o == oldest_bank);
                high_in_another_bank_meanwhile:
                    cover (started && |turn_bank_2 && is_column && cmd_high_o &&
                           cmd_bank_o != oldest_bank);
                another_write_while_reads_wait:
                    cover (started && reads_wait_2 && is_column && !oldest_issued);
            end
        end
    endgenerate
endmodule

`default_nettype wire
