// SPDX-License-Identifier: Apache-2.0
// What wm_dual_queue promises (MeDiC, PACT 2015, section 4.4), for one arbitrary request of each
// queue and every bank. The controller around it keeps to its side: see `assume`.
`default_nettype none

module dual_queue_props #(
    parameter DEPTH      = 16,
    parameter BANKS      = 8,
    parameter ROW_BITS   = 16,
    parameter BURST_BITS = 2,
    parameter TAG_BITS   = 8
) (
    input wire                     clk_i,
    input wire                     rst_i,
    input wire                     high_valid_i,
    input wire [$clog2(BANKS)-1:0] high_bank_i,
    input wire [ROW_BITS-1:0]      high_row_i,
    input wire                     high_write_i,
    input wire [BURST_BITS-1:0]    high_bursts_i,
    input wire [TAG_BITS-1:0]      high_tag_i,
    input wire                     low_valid_i,
    input wire [$clog2(BANKS)-1:0] low_bank_i,
    input wire [ROW_BITS-1:0]      low_row_i,
    input wire                     low_write_i,
    input wire [BURST_BITS-1:0]    low_bursts_i,
    input wire [TAG_BITS-1:0]      low_tag_i,
    input wire [BANKS-1:0]         read_ok_i,
    input wire [BANKS-1:0]         write_ok_i,
    input wire [BANKS-1:0]         precharge_ok_i,
    input wire [BANKS-1:0]         activate_ok_i
);
    localparam BANK_BITS  = $clog2(BANKS);
    localparam NAME_BITS  = TAG_BITS + ROW_BITS + BANK_BITS;
    localparam [BANKS-1:0] BANK_0 = 1;

    wire                 high_ready_o, low_ready_o, cmd_valid_o, cmd_high_o, cmd_last_o;
    wire [1:0]           cmd_kind_o;
    wire [BANK_BITS-1:0] cmd_bank_o;
    wire [ROW_BITS-1:0]  cmd_row_o;
    wire [TAG_BITS-1:0]  cmd_tag_o;
    wm_dual_queue #(
        .DEPTH(DEPTH),
        .BANKS(BANKS),
        .ROW_BITS(ROW_BITS),
        .BURST_BITS(BURST_BITS),
        .TAG_BITS(TAG_BITS)
    ) dut (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .high_valid_i(high_valid_i),
        .high_bank_i(high_bank_i),
        .high_row_i(high_row_i),
        .high_write_i(high_write_i),
        .high_bursts_i(high_bursts_i),
        .high_tag_i(high_tag_i),
        .high_ready_o(high_ready_o),
        .low_valid_i(low_valid_i),
        .low_bank_i(low_bank_i),
        .low_row_i(low_row_i),
        .low_write_i(low_write_i),
        .low_bursts_i(low_bursts_i),
        .low_tag_i(low_tag_i),
        .low_ready_o(low_ready_o),
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
        .activate_ok_i(activate_ok_i)
    );
    // The state inside, for the invariants that make the induction close.
    (* hierconn *) wire [BANKS-1:0]            \dut.open_q ;
    (* hierconn *) wire [ROW_BITS*BANKS-1:0]   \dut.open_row_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[0].taken_q ;
    (* hierconn *) wire [NAME_BITS*DEPTH-1:0]  \dut.g_queue[0].name_q ;
    (* hierconn *) wire [BURST_BITS*DEPTH-1:0] \dut.g_queue[0].bursts_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[0].write_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[0].hit_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[0].column_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[0].row_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[0].from_q ;
    (* hierconn *) wire                        \dut.g_queue[0].issues_q ;
    (* hierconn *) wire                        \dut.g_queue[0].leaves_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[1].taken_q ;
    (* hierconn *) wire [NAME_BITS*DEPTH-1:0]  \dut.g_queue[1].name_q ;
    (* hierconn *) wire [BURST_BITS*DEPTH-1:0] \dut.g_queue[1].bursts_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[1].write_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[1].hit_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[1].column_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[1].row_q ;
    (* hierconn *) wire [DEPTH-1:0]            \dut.g_queue[1].from_q ;
    (* hierconn *) wire                        \dut.g_queue[1].issues_q ;
    (* hierconn *) wire                        \dut.g_queue[1].leaves_q ;
    wire [2*DEPTH-1:0] taken  = {\dut.g_queue[1].taken_q , \dut.g_queue[0].taken_q };
    wire [2*DEPTH-1:0] write  = {\dut.g_queue[1].write_q , \dut.g_queue[0].write_q };
    wire [2*DEPTH-1:0] hit    = {\dut.g_queue[1].hit_q , \dut.g_queue[0].hit_q };
    wire [2*DEPTH-1:0] column = {\dut.g_queue[1].column_q , \dut.g_queue[0].column_q };
    wire [2*DEPTH-1:0] rows   = {\dut.g_queue[1].row_q , \dut.g_queue[0].row_q };
    wire [2*DEPTH-1:0] from   = {\dut.g_queue[1].from_q , \dut.g_queue[0].from_q };
    wire [1:0]         issues = {\dut.g_queue[1].issues_q , \dut.g_queue[0].issues_q };
    wire [1:0]         leaves = {\dut.g_queue[1].leaves_q , \dut.g_queue[0].leaves_q };
    wire [2*NAME_BITS*DEPTH-1:0]  name   = {\dut.g_queue[1].name_q , \dut.g_queue[0].name_q };
    wire [2*BURST_BITS*DEPTH-1:0] bursts = {\dut.g_queue[1].bursts_q , \dut.g_queue[0].bursts_q };

    reg started = 1'b0;
    always @(posedge clk_i) begin
        started <= 1'b1;
    end

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
    reg                  was_column, was_row;
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
        was_bank       <= cmd_bank_o;
    end

    always @* begin
        if (!started) begin
            assume (rst_i);
        end
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
    wire [1:0]         could_go; // a candidate of the last cycle that is not hidden
    reg  [BANKS-1:0]   high_banks_1, high_banks_2;
    reg                high_could_1; // in the last cycle, its choice, a high candidate was there
    always @(posedge clk_i) begin
        high_banks_1 <= present[BANKS +: BANKS];
        high_banks_2 <= high_banks_1;
        high_could_1 <= could_go[1];
        if (rst_i) begin
            high_could_1 <= 1'b0;
        end
    end

    genvar q;
    generate
        for (q = 0; q < 2; q = q + 1) begin : g_side
            dual_queue_side_props #(
                .HIGH(q),
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
                .open_rows(\dut.open_row_q ),
                .high_banks(present[BANKS +: BANKS]),
                .high_banks_1(high_banks_1),
                .high_could_1(high_could_1),
                .taken_here(taken[q*DEPTH +: DEPTH]),
                .write_here(write[q*DEPTH +: DEPTH]),
                .hit_here(hit[q*DEPTH +: DEPTH]),
                .column_here(column[q*DEPTH +: DEPTH]),
                .row_here(rows[q*DEPTH +: DEPTH]),
                .from_here(from[q*DEPTH +: DEPTH]),
                .issues(issues[q]),
                .leaves(leaves[q]),
                .name(name[q*NAME_BITS*DEPTH +: NAME_BITS*DEPTH]),
                .bursts(bursts[q*BURST_BITS*DEPTH +: BURST_BITS*DEPTH]),
                .present(present[q*BANKS +: BANKS]),
                .could_go(could_go[q])
            );
        end
    endgenerate

    always @* begin
        if (started) begin
            kind_in_range: assert (!cmd_valid_o || cmd_kind_o != 2'd3);
            open_known: assert (\dut.open_q == open);
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
            if (cmd_valid_o) begin
                banks_apart: assert (!((was_column || was_row) && was_bank == cmd_bank_o));
                // High first: a low request only where no high one is, and none could go.
                low_where_no_high: assert (cmd_high_o ||
                                           (!high_banks_2[cmd_bank_o] && !high_could_1));
            end
        end
        cover (started && is_precharge && cmd_high_o && |(open & present[0 +: BANKS]));
        cover (started && is_column && !cmd_high_o && |present[BANKS +: BANKS]);
        cover (started && is_activate && !low_ready_o && cmd_high_o);
    end
endmodule

// The same for one of the two queues.
module dual_queue_side_props #(
    parameter HIGH       = 0,
    parameter DEPTH      = 16,
    parameter BANKS      = 8,
    parameter ROW_BITS   = 16,
    parameter BURST_BITS = 2,
    parameter TAG_BITS   = 8,
    parameter BANK_BITS  = $clog2(BANKS),
    parameter NAME_BITS  = TAG_BITS + ROW_BITS + BANK_BITS
) (
    input wire                        clk_i,
    input wire                        rst_i,
    input wire                        started,
    input wire                        enter_valid,
    input wire                        enter_ready,
    input wire [BANK_BITS-1:0]        enter_bank,
    input wire [ROW_BITS-1:0]         enter_row,
    input wire                        enter_write,
    input wire [BURST_BITS-1:0]       enter_bursts,
    input wire [TAG_BITS-1:0]         enter_tag,
    input wire                        cmd_valid_o,
    input wire [1:0]                  cmd_kind_o,
    input wire [BANK_BITS-1:0]        cmd_bank_o,
    input wire [ROW_BITS-1:0]         cmd_row_o,
    input wire                        cmd_high_o,
    input wire                        cmd_last_o,
    input wire [TAG_BITS-1:0]         cmd_tag_o,
    input wire [BANKS-1:0]            read_ok_i,
    input wire [BANKS-1:0]            write_ok_i,
    input wire [BANKS-1:0]            precharge_ok_i,
    input wire [BANKS-1:0]            activate_ok_i,
    input wire [BANKS-1:0]            read_ok_1,
    input wire [BANKS-1:0]            write_ok_1,
    input wire [BANKS-1:0]            precharge_ok_1,
    input wire [BANKS-1:0]            activate_ok_1,
    input wire [BANKS-1:0]            read_ok_2,
    input wire [BANKS-1:0]            write_ok_2,
    input wire [BANKS-1:0]            open,
    input wire [ROW_BITS*BANKS-1:0]   open_rows,
    input wire [BANKS-1:0]            high_banks,
    input wire [BANKS-1:0]            high_banks_1,
    input wire                        high_could_1,
    // The queue's state: bit i of a plane is the entry with i older ones.
    input wire [DEPTH-1:0]            taken_here,
    input wire [DEPTH-1:0]            write_here,
    input wire [DEPTH-1:0]            hit_here,
    input wire [DEPTH-1:0]            column_here,
    input wire [DEPTH-1:0]            row_here,
    input wire [DEPTH-1:0]            from_here,
    input wire                        issues,
    input wire                        leaves,
    input wire [NAME_BITS*DEPTH-1:0]  name,
    input wire [BURST_BITS*DEPTH-1:0] bursts,
    output wire [BANKS-1:0]           present,
    output wire                       could_go
);
    localparam COUNT_BITS = $clog2(DEPTH + 1);
    localparam [DEPTH-1:0] PLACE_0 = 1;
    localparam [BANKS-1:0] BANK_0  = 1;
    wire is_column    = cmd_valid_o && cmd_kind_o == 2'd0;
    wire is_activate  = cmd_valid_o && cmd_kind_o == 2'd1;
    wire is_precharge = cmd_valid_o && cmd_kind_o == 2'd2;
    genvar i, j;
    wire [DEPTH-1:0] issued_oh  = from_here & ~(from_here << 1) & {DEPTH{issues}};
    wire             served_all = HIGH;

    // Each entry.
    wire [DEPTH-1:0] right_hit, right_bursts, right_column, right_row, right_issue;
    wire [DEPTH*BANKS-1:0] in_bank;
    for (i = 0; i < DEPTH; i = i + 1) begin : g_entry
        wire [NAME_BITS-1:0]  own;
        wire [BURST_BITS-1:0] left;
        for (j = 0; j < NAME_BITS; j = j + 1) begin : g_own
            assign own[j] = name[j*DEPTH + i];
        end
        for (j = 0; j < BURST_BITS; j = j + 1) begin : g_left
            assign left[j] = bursts[j*DEPTH + i];
        end
        wire [BANK_BITS-1:0] bank = own[BANK_BITS-1:0];
        wire [ROW_BITS-1:0]  row  = own[BANK_BITS +: ROW_BITS];
        wire [BANKS-1:0]     bank_here = BANK_0 << bank;
        wire [ROW_BITS-1:0]  open_row;
        for (j = 0; j < ROW_BITS; j = j + 1) begin : g_open_row
            assign open_row[j] = |(open_rows[j*BANKS +: BANKS] & bank_here);
        end
        assign in_bank[i*BANKS +: BANKS] = bank_here & {BANKS{taken_here[i]}};
        assign right_hit[i] = hit_here[i] ==
            (taken_here[i] && open[bank] && open_row == row);
        assign right_bursts[i] = !taken_here[i] || left != {BURST_BITS{1'b0}};
        assign right_column[i] = !column_here[i] || (taken_here[i] && hit_here[i] &&
            (write_here[i] ? write_ok_1[bank] : read_ok_1[bank]) &&
            (served_all || !high_banks_1[bank]));
        assign right_row[i] = !row_here[i] || (taken_here[i] &&
            (open[bank] ? precharge_ok_1[bank] : activate_ok_1[bank]) &&
            (served_all || !high_banks_1[bank]));
        assign right_issue[i] = !issued_oh[i] || (taken_here[i] && hit_here[i] &&
            own == {cmd_tag_o, cmd_row_o, cmd_bank_o} &&
            cmd_last_o == (left == {{(BURST_BITS-1){1'b0}}, 1'b1}) &&
            (write_here[i] ? write_ok_2[bank] : read_ok_2[bank]));
    end
    for (j = 0; j < BANKS; j = j + 1) begin : g_present
        wire [DEPTH-1:0] entries;
        for (i = 0; i < DEPTH; i = i + 1) begin : g_in_bank
            assign entries[i] = in_bank[i*BANKS + j];
        end
        assign present[j] = |entries;
    end
    assign could_go = (|column_here && !is_column) ||
                         (|row_here && !is_activate && !is_precharge);

    // The requests inside as the ports tell, and an arbitrary one of them: its place.
    (* anyseq *) wire pick;
    reg [COUNT_BITS-1:0]  inside;
    reg                   tracked;
    reg [DEPTH-1:0]       place_oh;
    reg [BANK_BITS-1:0]   bank;
    reg [ROW_BITS-1:0]    row;
    reg                   kind;
    reg [BURST_BITS-1:0]  left;
    reg [TAG_BITS-1:0]    tag;
    wire enters = enter_valid && enter_ready;
    wire gone   = is_column && cmd_high_o == HIGH && cmd_last_o;
    wire its    = tracked && |(issued_oh & place_oh);
    wire passed = leaves && |(from_here & (place_oh >> 1)); // an older one leaves
    wire [COUNT_BITS-1:0] stay = inside - gone;

    // Its candidature by the rules: a hit that may go; or a row for it, where its bank is
    // this queue's to serve and has no hit.
    wire [DEPTH-1:0] hits_of_bank;
    for (i = 0; i < DEPTH; i = i + 1) begin : g_hits
        assign hits_of_bank[i] = hit_here[i] && in_bank[i*BANKS + bank];
    end
    wire [ROW_BITS-1:0] row_of_bank;
    for (j = 0; j < ROW_BITS; j = j + 1) begin : g_row_of_bank
        assign row_of_bank[j] = |(open_rows[j*BANKS +: BANKS] & (BANK_0 << bank));
    end
    wire serves = served_all || !high_banks[bank];
    wire may_column = tracked && serves && open[bank] && row_of_bank == row &&
                      (kind ? write_ok_i[bank] : read_ok_i[bank]);
    wire may_row = tracked && serves && hits_of_bank == {DEPTH{1'b0}} &&
                   (open[bank] ? precharge_ok_i[bank] : activate_ok_i[bank]);
    reg column_1, row_1;      // so in the last cycle, and still here
    reg column_2, row_2;      // and chosen from in the last cycle: not hidden, not dropped
    reg oldest_2;             // with nobody older
    reg [DEPTH-1:0] place_2;  // at that choice
    always @(posedge clk_i) begin
        inside <= stay + enters;
        if (tracked) begin
            if (passed) begin
                place_oh <= place_oh >> 1;
            end
            if (its) begin
                left    <= left - 1'b1;
                tracked <= left != 1;
            end
        end
        column_1 <= may_column && !(its && left == 1);
        row_1    <= may_row;
        column_2 <= column_1 && !is_column;
        row_2    <= row_1 && !its && !is_activate && !is_precharge;
        oldest_2 <= place_oh[0] && !(cmd_valid_o && cmd_bank_o == bank);
        place_2  <= place_oh;
        if (!tracked && enters && pick) begin
            tracked  <= 1'b1;
            place_oh <= PLACE_0 << stay;
            bank     <= enter_bank;
            row      <= enter_row;
            kind     <= enter_write;
            left     <= enter_bursts;
            tag      <= enter_tag;
        end
        if (rst_i) begin
            inside   <= 0;
            tracked  <= 1'b0;
            column_1 <= 1'b0;
            row_1    <= 1'b0;
            column_2 <= 1'b0;
            row_2    <= 1'b0;
        end
    end
    wire [NAME_BITS-1:0]  own;
    wire [BURST_BITS-1:0] own_left;
    for (j = 0; j < NAME_BITS; j = j + 1) begin : g_own
        assign own[j] = |(name[j*DEPTH +: DEPTH] & place_oh);
    end
    for (j = 0; j < BURST_BITS; j = j + 1) begin : g_own_left
        assign own_left[j] = |(bursts[j*DEPTH +: DEPTH] & place_oh);
    end

    always @* begin
        if (started) begin
            // A request enters exactly while fewer than DEPTH of its own queue are inside:
            // a full low queue never blocks high.
            ready_exactly_below_depth: assert (enter_ready == (inside < DEPTH));
            count_in_range: assert (inside <= DEPTH && (!gone || inside != 0));
            // Nothing is lost, doubled or changed: the arbitrary request stands at its
            // place by age, with the bursts that were not issued yet.
            if (tracked) begin
                at_its_place: assert (|(place_oh & taken_here) &&
                                      (place_oh & (place_oh - 1'b1)) == {DEPTH{1'b0}});
                unchanged: assert (own == {tag, row, bank} && own_left == left &&
                                   |(write_here & place_oh) == kind);
                bursts_left: assert (left != {BURST_BITS{1'b0}});
                // It is a candidate exactly as the rules say.
                column_candidate: assert (|(column_here & place_oh) == column_1);
                row_candidate: assert (|(row_here & place_oh) == row_1);
            end
            if (!tracked) begin
                nobody_no_candidate: assert (!column_1 && !row_1);
            end
            // Its column command bears its name, and says whether it is the last.
            if (its) begin
                own_command: assert (is_column && cmd_high_o == HIGH && cmd_bank_o == bank &&
                                     cmd_row_o == row && cmd_tag_o == tag &&
                                     cmd_last_o == (left == 1));
            end
            // FR: while it could be read, its queue issues no row command; FCFS: nor a
            // column command of a younger request.
            if (column_2) begin
                hits_first: assert (!(cmd_valid_o && cmd_high_o == HIGH) || is_column);
                hits_oldest_first: assert (!issues || |(from_here & place_2));
                // The oldest one goes, if it is not held up: progress.
                if (oldest_2 && (HIGH || !high_could_1)) begin
                    oldest_hit_goes: assert (its);
                end
            end
            if (row_2 && HIGH) begin
                high_row_before_low: assert (!cmd_valid_o || cmd_high_o);
                if (oldest_2) begin
                    oldest_conflict_goes: assert (is_column || (cmd_tag_o == tag &&
                        cmd_bank_o == bank && cmd_row_o == row) || !cmd_valid_o);
                end
            end
            // High first: while a high one could go, none of low is issued.
            if (column_2 && HIGH) begin
                high_column_before_low: assert (!cmd_valid_o || cmd_high_o);
            end

            // The state inside, which makes the induction close.
            in_order_of_age: assert ((taken_here & (taken_here + 1'b1)) == {DEPTH{1'b0}});
            as_many: assert (taken_here == (PLACE_0 << inside) - 1'b1 ||
                             (inside == DEPTH && &taken_here));
            hit_means_open: assert (&right_hit);
            some_bursts: assert (&right_bursts);
            column_is_legal: assert (&right_column);
            row_is_legal: assert (&right_row);
            issue_is_legal: assert (&right_issue);
            issue_is_command: assert (issues == (is_column && cmd_high_o == HIGH));
            leave_is_last: assert (leaves == gone);
            if (issues) begin
                one_issued: assert (issued_oh != {DEPTH{1'b0}} &&
                                    (issued_oh & (issued_oh - 1'b1)) == {DEPTH{1'b0}});
                from_there_on: assert ((~from_here & (~from_here + 1'b1)) == {DEPTH{1'b0}});
            end
        end
        cover (started && tracked && its && left == 1 && kind && place_oh[1]);
        cover (started && inside == DEPTH && enter_valid && gone);
        cover (started && is_column && cmd_high_o == HIGH && cmd_last_o && inside == DEPTH);
    end
endmodule

`default_nettype wire
