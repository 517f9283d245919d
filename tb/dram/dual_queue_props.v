// SPDX-License-Identifier: Apache-2.0
// Properties of wm_dual_queue (MeDiC, PACT 2015, section 4.4), for one arbitrary request of each
// queue and every bank. The controller around it keeps to its side: see `assume`.
`default_nettype none

// The head, with dut and started, is made from wm_dual_queue: python/warpmem/tools/props.py.
`BEGIN_dual_queue_props
    localparam BANK_BITS  = $clog2(BANKS);
    localparam NAME_BITS  = TAG_BITS + ROW_BITS;
    localparam GROUP      = DEPTH > 16 ? 8 : 4; // places that are read out together
    localparam GROUPS     = (DEPTH + GROUP - 1) / GROUP;
    localparam [BANKS-1:0] BANK_0 = 1;

    // The state inside, for the invariants that make the induction close.
    wire [2*DEPTH-1:0]            taken = {dut.g_queue[1].taken_q, dut.g_queue[0].taken_q};
    wire [2*DEPTH-1:0]            write = {dut.g_queue[1].write_q, dut.g_queue[0].write_q};
    wire [2*DEPTH-1:0]            hit_of_before = {dut.g_queue[1].hit_q, dut.g_queue[0].hit_q};
    wire [2*DEPTH-1:0]            fresh = {dut.g_queue[1].fresh_q, dut.g_queue[0].fresh_q};
    wire [2*DEPTH-1:0]            upper = {dut.g_queue[1].upper_q, dut.g_queue[0].upper_q};
    wire [2*DEPTH-1:0]            lower = {dut.g_queue[1].lower_q, dut.g_queue[0].lower_q};
    wire [2*DEPTH-1:0]            column_oh =
        {dut.g_queue[1].column_q, dut.g_queue[0].column_q};
    wire [2*DEPTH-1:0]            row_oh = {dut.g_queue[1].row_q, dut.g_queue[0].row_q};
    wire [2*DEPTH-1:0]            from = {dut.g_queue[1].from_q, dut.g_queue[0].from_q};
    wire [2*DEPTH*NAME_BITS-1:0]  name = {dut.g_queue[1].name_q, dut.g_queue[0].name_q};
    wire [2*DEPTH*BANKS-1:0]      banks = {dut.g_queue[1].bank_q, dut.g_queue[0].bank_q};
    wire [2*DEPTH*BURST_BITS-1:0] bursts = {dut.g_queue[1].bursts_q, dut.g_queue[0].bursts_q};
    wire [2*BANKS-1:0]            hit_banks =
        {dut.g_queue[1].hit_banks_q, dut.g_queue[0].hit_banks_q};
    wire [2*GROUPS-1:0]           column_group =
        {dut.g_queue[1].column_group_q, dut.g_queue[0].column_group_q};
    wire [2*GROUPS-1:0]           row_group =
        {dut.g_queue[1].row_group_q, dut.g_queue[0].row_group_q};
    wire [2*DEPTH-1:0]           columns_next =
        {dut.g_queue[1].columns_next, dut.g_queue[0].columns_next};
    wire [2*DEPTH-1:0]           rows_next =
        {dut.g_queue[1].rows_next, dut.g_queue[0].rows_next};
    wire [1:0]                    any_column =
        {dut.g_queue[1].any_column_q, dut.g_queue[0].any_column_q};
    wire [1:0]                    any_row =
        {dut.g_queue[1].any_row_q, dut.g_queue[0].any_row_q};
    wire [1:0]                    issues = {dut.g_queue[1].issues_q, dut.g_queue[0].issues_q};
    wire [1:0]                    leaves = {dut.g_queue[1].leaves_q, dut.g_queue[0].leaves_q};
    // A hit, of now or of before.
    wire [2*DEPTH-1:0] hit = hit_of_before | (upper & lower);
    // All candidates of the last cycle: the block keeps the oldest of each group.
    reg  [2*DEPTH-1:0] column, rows;
    generate
        genvar h;
        for (h = 0; h < 2; h = h + 1) begin : g_candidates
            always @(posedge clk_i) begin
                column[h*DEPTH +: DEPTH] <= rst_i ? {DEPTH{1'b0}} : columns_next[h*DEPTH +: DEPTH];
                rows[h*DEPTH +: DEPTH]   <= rst_i ? {DEPTH{1'b0}} : rows_next[h*DEPTH +: DEPTH];
            end
        end
    endgenerate

    // --- the DRAM as the commands make it ---
    wire is_column    = cmd_valid_o && cmd_kind_o == 2'd0;
    wire is_activate  = cmd_valid_o && cmd_kind_o == 2'd1;
    wire is_precharge = cmd_valid_o && cmd_kind_o == 2'd2;
    wire [BANKS-1:0] cmd_bank_oh = BANK_0 << cmd_bank_o;
    reg  [BANKS-1:0] open;
    wire [BANKS-1:0] open_after = (open | (cmd_bank_oh & {BANKS{is_activate}})) &
                                  ~(cmd_bank_oh & {BANKS{is_precharge}});
    // The last cycle and the one before: masks; the command of the last cycle.
    reg  [BANKS-1:0]     read_ok_1, write_ok_1, precharge_ok_1, activate_ok_1;
    reg  [BANKS-1:0]     read_ok_2, write_ok_2, precharge_ok_2, activate_ok_2;
    reg                  was_column, was_row, was_activate;
    reg  [BANK_BITS-1:0] was_bank;

    always @(posedge clk_i) begin
        open           <= rst_i ? {BANKS{1'b0}} : open_after;
        read_ok_1      <= read_ok_i;
        write_ok_1     <= write_ok_i;
        precharge_ok_1 <= precharge_ok_i;
        activate_ok_1  <= activate_ok_i;
        read_ok_2      <= read_ok_1;
        write_ok_2     <= write_ok_1;
        precharge_ok_2 <= precharge_ok_1;
        activate_ok_2  <= activate_ok_1;
        was_column     <= !rst_i && is_column;
        was_row        <= !rst_i && (is_activate || is_precharge);
        was_activate   <= !rst_i && is_activate;
        was_bank       <= cmd_bank_o;
    end

    always @* begin
        // The masks are of the banks as they are after this cycle's command.
        assume (((read_ok_i | write_ok_i | precharge_ok_i) & ~open_after) == {BANKS{1'b0}});
        assume ((activate_ok_i & open_after) == {BANKS{1'b0}});
        // A request has bursts.
        assume (high_bursts_i != {BURST_BITS{1'b0}} && low_bursts_i != {BURST_BITS{1'b0}});
    end

    // --- one arbitrary request of each queue, and the entries as they should be ---
    wire [1:0]              enter_valid  = {high_valid_i, low_valid_i};
    wire [1:0]              enter_ready  = {high_ready_o, low_ready_o};
    wire [2*BANK_BITS-1:0]  enter_bank   = {high_bank_i, low_bank_i};
    wire [2*ROW_BITS-1:0]   enter_row    = {high_row_i, low_row_i};
    wire [1:0]              enter_write  = {high_write_i, low_write_i};
    wire [2*BURST_BITS-1:0] enter_bursts = {high_bursts_i, low_bursts_i};
    wire [2*TAG_BITS-1:0]   enter_tag    = {high_tag_i, low_tag_i};

    wire [2*BANKS-1:0] present;  // banks with a request
    wire [1:0]         issued_write; // the column command is a write
    wire [2*BANKS-1:0] banks_with_hit;
    wire [1:0]         could_go; // a candidate of the last cycle that is not hidden
    wire [1:0]         column_could_go; // such a one for a column
    reg  [1:0]         column_could_1;  // the same of the cycle before
    reg  [2*BANKS-1:0] banks_with_hit_1, banks_with_hit_2;
    reg  [BANKS-1:0]   high_banks_1, high_banks_2;
    reg                high_could_1; // in the last cycle, its choice, a high candidate was there
    // The turn by the rules: see dual_queue_turn_props.
    wire [BANKS-1:0]   turn_bank, turn_bank_1, turn_bank_2;
    wire               reads_wait, writes_wait, reads_wait_1, writes_wait_1;
    wire               low_first_1; // in the last cycle the low queue chose first
    always @(posedge clk_i) begin
        high_banks_1 <= present[BANKS +: BANKS];
        high_banks_2 <= high_banks_1;
        high_could_1   <= could_go[1];
        column_could_1 <= column_could_go;
        banks_with_hit_1 <= banks_with_hit;
        banks_with_hit_2 <= banks_with_hit_1;
        if (rst_i) begin
            high_could_1   <= 1'b0;
            column_could_1 <= 2'b00;
        end
    end

    genvar q;
    generate
        for (q = 0; q < 2; q = q + 1) begin : g_side
            dual_queue_side_props #(
                .HIGH(q),
                .ROW_FIRST(ROW_FIRST),
                .DEPTH(DEPTH),
                .BANKS(BANKS),
                .ROW_BITS(ROW_BITS),
                .BURST_BITS(BURST_BITS),
                .TAG_BITS(TAG_BITS)
            ) side (
                .clk_i(clk_i),
                .rst_i(rst_i),
                .started(started),
                .enter_valid(enter_valid[q]),
                .enter_ready(enter_ready[q]),
                .enter_bank(enter_bank[q*BANK_BITS +: BANK_BITS]),
                .enter_row(enter_row[q*ROW_BITS +: ROW_BITS]),
                .enter_write(enter_write[q]),
                .enter_bursts(enter_bursts[q*BURST_BITS +: BURST_BITS]),
                .enter_tag(enter_tag[q*TAG_BITS +: TAG_BITS]),
                .cmd_valid_o(cmd_valid_o),
                .cmd_kind_o(cmd_kind_o),
                .cmd_bank_o(cmd_bank_o),
                .cmd_row_o(cmd_row_o),
                .cmd_high_o(cmd_high_o),
                .cmd_last_o(cmd_last_o),
                .cmd_tag_o(cmd_tag_o),
                .read_ok_i(read_ok_i),
                .write_ok_i(write_ok_i),
                .precharge_ok_i(precharge_ok_i),
                .activate_ok_i(activate_ok_i),
                .read_ok_1(read_ok_1),
                .write_ok_1(write_ok_1),
                .precharge_ok_1(precharge_ok_1),
                .activate_ok_1(activate_ok_1),
                .read_ok_2(read_ok_2),
                .write_ok_2(write_ok_2),
                .open(open),
                .open_rows(dut.open_row_q),
                .high_banks(present[BANKS +: BANKS]),
                .high_banks_1(high_banks_1),
                .high_could_1(high_could_1),
                .high_column_could_1(column_could_1[1]),
                .low_column_could_1(column_could_1[0]),
                .low_hit_banks(banks_with_hit[0 +: BANKS]),
                .hit_banks_1(banks_with_hit_1[q*BANKS +: BANKS] |
                             (banks_with_hit_1[0 +: BANKS] & {BANKS{ROW_FIRST != 0}})),
                .turn_bank(turn_bank),
                .turn_bank_1(turn_bank_1),
                .reads_wait(reads_wait),
                .writes_wait(writes_wait),
                .reads_wait_1(reads_wait_1),
                .writes_wait_1(writes_wait_1),
                .low_first_1(low_first_1),
                .was_activate(was_activate),
                .was_bank(was_bank),
                .cmd_bank_oh(dut.cmd_bank_q),
                .taken_here(taken[q*DEPTH +: DEPTH]),
                .write_here(write[q*DEPTH +: DEPTH]),
                .hit_here(hit[q*DEPTH +: DEPTH]),
                .hit_of_before(hit_of_before[q*DEPTH +: DEPTH]),
                .hit_banks(hit_banks[q*BANKS +: BANKS]),
                .fresh_here(fresh[q*DEPTH +: DEPTH]),
                .upper_here(upper[q*DEPTH +: DEPTH]),
                .lower_here(lower[q*DEPTH +: DEPTH]),
                .column_here(column[q*DEPTH +: DEPTH]),
                .row_here(rows[q*DEPTH +: DEPTH]),
                .column_oh(column_oh[q*DEPTH +: DEPTH]),
                .row_oh(row_oh[q*DEPTH +: DEPTH]),
                .column_group(column_group[q*GROUPS +: GROUPS]),
                .row_group(row_group[q*GROUPS +: GROUPS]),
                .any_column(any_column[q]),
                .any_row(any_row[q]),
                .from_here(from[q*DEPTH +: DEPTH]),
                .issues(issues[q]),
                .leaves(leaves[q]),
                .name(name[q*DEPTH*NAME_BITS +: DEPTH*NAME_BITS]),
                .banks(banks[q*DEPTH*BANKS +: DEPTH*BANKS]),
                .bursts(bursts[q*DEPTH*BURST_BITS +: DEPTH*BURST_BITS]),
                .present(present[q*BANKS +: BANKS]),
                .banks_with_hit(banks_with_hit[q*BANKS +: BANKS]),
                .issued_write(issued_write[q]),
                .could_go(could_go[q]),
                .column_could_go(column_could_go[q])
            );
        end
    endgenerate

    // The low queue's oldest request.
    reg [BANK_BITS-1:0] oldest_bank;
    integer n;
    always @* begin
        oldest_bank = {BANK_BITS{1'b0}};
        for (n = 0; n < BANKS; n = n + 1) begin
            oldest_bank = oldest_bank | (banks[n] ? n[BANK_BITS-1:0] : {BANK_BITS{1'b0}});
        end
    end
    dual_queue_turn_props #(
        .BANKS(BANKS),
        .BOUND(BOUND)
    ) turn (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .started(started),
        .counted(dut.passed),
        .oldest_taken(taken[0]),
        .oldest_bank(oldest_bank),
        .oldest_hit(hit[0]),
        .oldest_write(write[0]),
        .oldest_column(column[0]),
        .oldest_row(rows[0]),
        .oldest_issued(issues[0] && from[0]),
        .cmd_valid_o(cmd_valid_o),
        .cmd_kind_o(cmd_kind_o),
        .cmd_bank_o(cmd_bank_o),
        .cmd_high_o(cmd_high_o),
        .cmd_last_o(cmd_last_o),
        .issued_write(|issued_write),
        .was_column(was_column),
        .turn_bank(turn_bank),
        .turn_bank_1(turn_bank_1),
        .turn_bank_2(turn_bank_2),
        .reads_wait(reads_wait),
        .writes_wait(writes_wait),
        .reads_wait_1(reads_wait_1),
        .writes_wait_1(writes_wait_1),
        .low_first_1(low_first_1)
    );

    always @* begin
        if (started) begin
            kind_in_range: assert (!cmd_valid_o || cmd_kind_o != 2'd3);
            open_known: assert (dut.open_q == open);
            command_known: assert (dut.columns_q == is_column &&
                                   (cmd_valid_o || cmd_kind_o == 2'd0) &&
                                   dut.rows_q == (is_activate || is_precharge) &&
                                   (!cmd_valid_o || dut.cmd_bank_q == cmd_bank_oh));
            high_banks_known: assert (dut.high_banks == present[BANKS +: BANKS]);
            turn_known: assert (dut.has_turn == |turn_bank && dut.reads_wait == reads_wait &&
                                dut.writes_wait == writes_wait);
            // A column command only in an open bank (its row: issue_is_legal). It was legal by the
            // masks of two cycles before, and the cycle between issued nothing they did not know.
            if (is_column) begin
                column_of_open_bank: assert (open[cmd_bank_o]);
                column_was_legal: assert (read_ok_2[cmd_bank_o] || write_ok_2[cmd_bank_o]);
                columns_apart: assert (!was_column);
            end
            if (is_activate) begin
                activate_of_closed_bank: assert (!open[cmd_bank_o] && activate_ok_2[cmd_bank_o]);
            end
            // No precharge while a column command of its bank is on its way.
            if (is_precharge) begin
                precharge_of_open_bank: assert (open[cmd_bank_o] && precharge_ok_2[cmd_bank_o]);
            end
            if (is_activate || is_precharge) begin
                rows_apart: assert (!was_row);
            end
            hits_are_requests: assert ((banks_with_hit_1[BANKS +: BANKS] & ~high_banks_1) == 0);
            // With ROW_FIRST no row is closed that a request of either queue wants, but in a turn.
            if (ROW_FIRST && is_precharge && !turn_bank_2[cmd_bank_o]) begin
                row_nobody_wants: assert (!banks_with_hit_2[cmd_bank_o] &&
                                          !banks_with_hit_2[BANKS + cmd_bank_o]);
            end
            if (cmd_valid_o) begin
                banks_apart: assert (!((was_column || was_row) && was_bank == cmd_bank_o));
                // High first: a low request only where no high one is, and none could go; but for
                // the request that has the turn, and the low queue when that one could go.
                // With ROW_FIRST a low hit only waits for high ones.
                low_where_no_high: assert (cmd_high_o ||
                    (ROW_FIRST && is_column ? !column_could_1[1] || low_first_1 :
                     (!high_banks_2[cmd_bank_o] || turn_bank_2[cmd_bank_o]) &&
                     (!high_could_1 || low_first_1)));
            end
        end
        high_closes_while_low_has_an_open_bank:
            cover (started && is_precharge && cmd_high_o && |(open & present[0 +: BANKS]));
        low_column_while_high_waits:
            cover (started && is_column && !cmd_high_o && |present[BANKS +: BANKS]);
        high_goes_on_while_low_is_full:
            cover (started && is_activate && !low_ready_o && cmd_high_o);
    end
endmodule

`default_nettype wire
