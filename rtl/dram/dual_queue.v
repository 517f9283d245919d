// SPDX-License-Identifier: Apache-2.0
// wm_dual_queue: the request queues of a DRAM controller, one for mostly-hit warps (high), one for
// all others (low), each FR-FCFS, high always first.
//
// Channels   high, low: a request enters its queue.  cmd: the command that is issued.
//            *_ok: banks in which a command is legal LEAD = 2 cycles from now.
// Timing     a request that enters in cycle n is a candidate from n + 1; candidates of n are chosen
//            from in n + 1 and issued in n + 2. Column commands every second cycle at most, row
//            commands in the cycles between. What n issues is known from n + 1.
// Choice     a bank is served by the high queue if that holds a request for it, else by the low
//            one: hits of that queue are column candidates; without, its requests are candidates
//            for a row command. Then the oldest: high column, high row, low column, low row.
// Turn       after BOUND high column commands since the low queue's oldest request is that, until
//            it leaves: its bank serves it alone, columns of the other direction wait while its row
//            is open, and as a candidate it brings the low queue before the high one.
// Same cycle a column command being issued hides column candidates, a row command row candidates;
//            a choice for the bank of the command being issued is dropped: the masks did not know
//            of it. ready does not look at leaving, and neither queue at the other.
// Limits     2 <= DEPTH <= 128, BANKS 2 to 64, a power of two, ROW_BITS 1 to 32, BURST_BITS 1 to 4,
//            TAG_BITS 1 to 64, BOUND at most 255 (checked at elaboration); bursts at least 1.
// Cost       2 * DEPTH * (clog2(BANKS) + ROW_BITS + BURST_BITS + TAG_BITS + 6) + BANKS * (ROW_BITS
//            + 1) + clog2(BOUND + 1) flip-flops and the command.
// Source     Ausavarungnirun et al., PACT 2015, section 4.4. See cmodel/dram/dual_queue.h.
// Twins      cmodel/dram/dual_queue.c  tb/dram/dual_queue_test.c  tb/dram/dual_queue_props.v
//            waves/dram/dual_queue.gtkw
`default_nettype none

module wm_dual_queue #(
    parameter DEPTH      = 16, // requests each queue holds
    parameter BANKS      = 8,  // banks of the channel, a power of two
    parameter ROW_BITS   = 16, // bits of a row number
    parameter BURST_BITS = 2,  // bits of a number of bursts
    parameter TAG_BITS   = 8,  // bits that name a request
    parameter BOUND      = 0   // high columns that pass the oldest low request; 0: no turns
) (
    input  wire                     clk_i,          // clock
    input  wire                     rst_i,          // synchronous; queues empty, all rows closed
    input  wire                     high_valid_i,   // a request of a mostly-hit warp asks to enter
    input  wire [$clog2(BANKS)-1:0] high_bank_i,    // its bank
    input  wire [ROW_BITS-1:0]      high_row_i,     // its row
    input  wire                     high_write_i,   // it is a write
    input  wire [BURST_BITS-1:0]    high_bursts_i,  // its column commands, 1 or more
    input  wire [TAG_BITS-1:0]      high_tag_i,     // its name
    output wire                     high_ready_o,   // it enters at this edge if high_valid_i
    input  wire                     low_valid_i,    // another request asks to enter
    input  wire [$clog2(BANKS)-1:0] low_bank_i,     // its bank
    input  wire [ROW_BITS-1:0]      low_row_i,      // its row
    input  wire                     low_write_i,    // it is a write
    input  wire [BURST_BITS-1:0]    low_bursts_i,   // its column commands, 1 or more
    input  wire [TAG_BITS-1:0]      low_tag_i,      // its name
    output wire                     low_ready_o,    // it enters at this edge if low_valid_i
    output wire                     cmd_valid_o,    // a command is issued in this cycle
    output wire [1:0]               cmd_kind_o,     // 0 column, 1 activate, 2 precharge
    output wire [$clog2(BANKS)-1:0] cmd_bank_o,     // its bank
    output wire [ROW_BITS-1:0]      cmd_row_o,      // the row of its request
    output wire                     cmd_high_o,     // for a request of the high queue
    output wire                     cmd_last_o,     // a column command, the last of its request
    output wire [TAG_BITS-1:0]      cmd_tag_o,      // name of its request
    input  wire [BANKS-1:0]         read_ok_i,      // late: banks in which a read is legal in
                                                    // LEAD cycles, after this cycle's command
    input  wire [BANKS-1:0]         write_ok_i,     // late: the same for a write
    input  wire [BANKS-1:0]         precharge_ok_i, // late: the same for closing an open row
    input  wire [BANKS-1:0]         activate_ok_i   // late: the same for opening one
);
    localparam BANK_BITS = $clog2(BANKS);
    localparam GROUP     = 8; // places that are read out together
    localparam GROUPS    = (DEPTH + GROUP - 1) / GROUP;
    localparam PLACES    = GROUPS * GROUP;
    localparam LOW       = 0;
    localparam HIGH      = 1;
    // Fields that stay the same while a request waits: tag, row, bank.
    localparam NAME_BITS = TAG_BITS + ROW_BITS + BANK_BITS;
    localparam [1:0] COLUMN    = 2'd0;
    localparam [1:0] ACTIVATE  = 2'd1;
    localparam [1:0] PRECHARGE = 2'd2;

    generate
        if (DEPTH < 2 || DEPTH > 128 || BANKS < 2 || BANKS > 64 || (1 << BANK_BITS) != BANKS ||
            ROW_BITS < 1 || ROW_BITS > 32 || BURST_BITS < 1 || BURST_BITS > 4 ||
            TAG_BITS < 1 || TAG_BITS > 64 || BOUND < 0 || BOUND > 255) begin : g_illegal
            wm_dual_queue_parameters_out_of_range illegal ();
        end
    endgenerate

    // A queue's entries are kept as bit planes, oldest first: bit i of a plane belongs to the entry
    // with i older ones. So an operation on all entries is one vector operation.

    // A plane's next value: entries of `up` take the next younger entry's, `enters` the new one.
    function [DEPTH-1:0] move(input [DEPTH-1:0] plane, input [DEPTH-1:0] up,
                              input [DEPTH-1:0] enters, input value);
        move = (((plane & ~up) | ((plane >> 1) & up)) & ~enters) | ({DEPTH{value}} & enters);
    endfunction

    // The places, whole groups.
    function [PLACES-1:0] place_all(input [DEPTH-1:0] plane);
        begin
            place_all = {PLACES{1'b0}};
            place_all[DEPTH-1:0] = plane;
        end
    endfunction

    // The oldest entry is found group by group: the oldest of each group, and the first group. So
    // an entry of each group is read out while the group is found.

    // Marks in each group the oldest of the given entries and all younger places.
    function [PLACES-1:0] from_oldest(input [PLACES-1:0] entries);
        integer p;
        begin
            from_oldest = entries;
            for (p = 1; p < PLACES; p = p + 1) begin
                if (p % GROUP != 0) begin
                    from_oldest[p] = from_oldest[p] | from_oldest[p-1];
                end
            end
        end
    endfunction

    // Reduces such a mask to the oldest entry of each group.
    function [PLACES-1:0] first_of(input [PLACES-1:0] from);
        integer p;
        begin
            first_of = from;
            for (p = 1; p < PLACES; p = p + 1) begin
                if (p % GROUP != 0) begin
                    first_of[p] = from[p] & ~from[p-1];
                end
            end
        end
    endfunction

    // Marks the groups with one of the given entries.
    function [GROUPS-1:0] groups_of(input [PLACES-1:0] entries);
        integer g;
        begin
            for (g = 0; g < GROUPS; g = g + 1) begin
                groups_of[g] = |entries[g*GROUP +: GROUP];
            end
        end
    endfunction

    // Marks each group that has one of the given groups before it.
    function [GROUPS-1:0] one_before(input [GROUPS-1:0] groups);
        integer g;
        begin
            one_before[0] = 1'b0;
            for (g = 1; g < GROUPS; g = g + 1) begin
                one_before[g] = one_before[g-1] | groups[g-1];
            end
        end
    endfunction

    // Marks the given bank among all bank numbers.
    function [BANKS-1:0] bank_oh(input [BANK_BITS-1:0] bank);
        bank_oh = {{(BANKS-1){1'b0}}, 1'b1} << bank;
    endfunction

    reg                      cmd_valid_q, cmd_valid_d;
    reg  [1:0]               cmd_kind_q, cmd_kind_d;
    reg                      cmd_high_q, cmd_high_d;
    reg                      cmd_last_q, cmd_last_d;
    reg  [NAME_BITS-1:0]     cmd_name_q, cmd_name_d;
    reg  [BANKS-1:0]         open_q, open_d;                 // banks with an open row
    reg  [ROW_BITS*BANKS-1:0] open_row_q, open_row_d;        // planes: bit b belongs to bank b

    wire [BANK_BITS-1:0] cmd_bank  = cmd_name_q[BANK_BITS-1:0];
    wire [ROW_BITS-1:0]  cmd_row   = cmd_name_q[BANK_BITS +: ROW_BITS];
    wire                 columns   = cmd_valid_q && cmd_kind_q == COLUMN;
    wire                 activates = cmd_valid_q && cmd_kind_q == ACTIVATE;
    wire                 closes    = cmd_valid_q && cmd_kind_q == PRECHARGE;
    wire [BANKS-1:0]     row_ok    = (open_q & precharge_ok_i) | (~open_q & activate_ok_i);

    integer r;
    always @* begin
        open_d     = open_q;
        open_row_d = open_row_q;
        if (activates) begin
            open_d = open_q | bank_oh(cmd_bank);
            for (r = 0; r < ROW_BITS; r = r + 1) begin
                open_row_d[r*BANKS +: BANKS] = (open_row_q[r*BANKS +: BANKS] & ~bank_oh(cmd_bank)) |
                                               ({BANKS{cmd_row[r]}} & bank_oh(cmd_bank));
            end
        end
        if (closes) begin
            open_d = open_q & ~bank_oh(cmd_bank);
        end
        if (rst_i) begin
            open_d = {BANKS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        open_q     <= open_d;
        open_row_q <= open_row_d;
    end

    // Signals of both queues: low is 0, high is 1.
    wire [1:0]              enter_valid = {high_valid_i, low_valid_i};
    wire [2*BANK_BITS-1:0]  enter_bank  = {high_bank_i, low_bank_i};
    wire [2*ROW_BITS-1:0]   enter_row   = {high_row_i, low_row_i};
    wire [1:0]              enter_write = {high_write_i, low_write_i};
    wire [2*BURST_BITS-1:0] enter_bursts = {high_bursts_i, low_bursts_i};
    wire [2*TAG_BITS-1:0]   enter_tag   = {high_tag_i, low_tag_i};
    wire [1:0]              full;
    wire [BANKS-1:0]        high_banks;  // banks with a high request
    wire [2*BANKS-1:0]      served;      // banks that this queue serves
    wire [1:0]              any_column, any_row; // such a candidate may be chosen
    wire [1:0]              use_column, use_row; // and is: no queue before it has any
    // Fields of the chosen request; the other queue has zeros.
    wire [2*NAME_BITS-1:0]  chosen_name;
    wire [1:0]              chosen_free; // its bank is not that of the command being issued
    wire [1:0]              chosen_last, chosen_open;

    // The low queue's oldest request: there is one, its bank, a hit, a write; a candidate of the
    // last cycle; it leaves with the command being issued.
    wire oldest_taken, oldest_hit, oldest_write, oldest_column, oldest_row, oldest_leaves;
    wire [BANK_BITS-1:0] oldest_bank;
    wire [BANKS-1:0]     turn_bank;    // the bank of the request that has the turn, if one has
    wire [BANKS-1:0]     read_ok, write_ok;
    localparam PASSED_BITS = BOUND < 1 ? 1 : $clog2(BOUND + 1);
    wire [PASSED_BITS-1:0] passed; // high columns since the oldest low request is that, up to BOUND

    generate
        if (BOUND == 0) begin : g_no_turns
            assign served     = {{BANKS{1'b1}}, ~high_banks};
            assign use_column = {any_column[HIGH],
                                 any_column[LOW] && !any_column[HIGH] && !any_row[HIGH]};
            assign use_row    = {any_row[HIGH] && !any_column[HIGH], any_row[LOW] &&
                                 !any_column[LOW] && !any_column[HIGH] && !any_row[HIGH]};
            assign read_ok    = read_ok_i;
            assign write_ok   = write_ok_i;
            assign turn_bank  = {BANKS{1'b0}};
            assign passed     = 1'b0;
            wire unused_turns = &{1'b0, oldest_taken, oldest_hit, oldest_write, oldest_column,
                                  oldest_row, oldest_leaves, oldest_bank, passed, turn_bank};
        end else begin : g_turns
            localparam [PASSED_BITS-1:0] ALL = BOUND[PASSED_BITS-1:0];
            reg [PASSED_BITS-1:0] passed_q, passed_d;
            wire                  turn = passed == ALL;
            always @* begin
                passed_d = passed_q;
                if (columns && cmd_high_q && oldest_taken && !turn) begin
                    passed_d = passed_q + 1'b1;
                end
                if (oldest_leaves || rst_i) begin
                    passed_d = {PASSED_BITS{1'b0}};
                end
            end
            always @(posedge clk_i) begin
                passed_q <= passed_d;
            end
            // A hit that has the turn makes the other direction wait.
            wire reads_wait  = turn && oldest_hit && oldest_write;
            wire writes_wait = turn && oldest_hit && !oldest_write;
            wire low_first   = turn && ((oldest_column && !columns) || // it is a candidate
                                        (oldest_row && !activates && !closes));
            wire low_goes    = low_first || (!any_column[HIGH] && !any_row[HIGH]);
            assign served     = {~turn_bank, ~high_banks | turn_bank};
            assign use_column = {any_column[HIGH] && !low_first, any_column[LOW] && low_goes};
            assign use_row    = {any_row[HIGH] && !any_column[HIGH] && !low_first,
                                 any_row[LOW] && !any_column[LOW] && low_goes};
            assign read_ok    = read_ok_i & {BANKS{!reads_wait}};
            assign write_ok   = write_ok_i & {BANKS{!writes_wait}};
            assign turn_bank  = bank_oh(oldest_bank) & {BANKS{turn}};
            assign passed     = passed_q;
        end
    endgenerate

    genvar q, b, f;
    generate
        for (q = 0; q < 2; q = q + 1) begin : g_queue
            reg  [DEPTH-1:0]            taken_q, taken_d;   // places with a request
            reg  [NAME_BITS*DEPTH-1:0]  name_q, name_d;     // planes
            reg  [BURST_BITS*DEPTH-1:0] bursts_q, bursts_d; // planes
            reg  [DEPTH-1:0]            write_q, write_d;
            reg  [DEPTH-1:0]            hit_q, hit_d;       // its row is open
            reg  [DEPTH-1:0]            column_q, column_d; // candidates of the last cycle
            reg  [DEPTH-1:0]            row_q, row_d;
            reg  [DEPTH-1:0]            from_q, from_d;     // places from the issued column's on
            reg                         issues_q, issues_d; // a column command of this queue
            reg                         leaves_q, leaves_d; // with it a request leaves

            // --- candidates ---
            wire [BANKS*DEPTH-1:0] here;      // entries of a bank
            wire [BANKS*DEPTH-1:0] may_read;  // of them, where their bank may be read
            wire [BANKS*DEPTH-1:0] may_write;
            wire [BANKS*DEPTH-1:0] may_row;
            wire [BANKS*DEPTH-1:0] is_open;
            for (b = 0; b < BANKS; b = b + 1) begin : g_bank
                localparam [BANK_BITS-1:0] BANK = b;
                wire [BANK_BITS*DEPTH-1:0] equal;
                wire [DEPTH-1:0]           in_bank;
                wire [DEPTH-1:0]           able; // of them, which may be candidates
                for (f = 0; f < BANK_BITS; f = f + 1) begin : g_equal
                    assign equal[f*DEPTH +: DEPTH] = ~(name_q[f*DEPTH +: DEPTH] ^ {DEPTH{BANK[f]}});
                end
                assign in_bank = all_of(equal) & taken_q;
                if (q == HIGH) begin : g_high
                    assign high_banks[b] = |in_bank;
                end
                if (q == LOW && BOUND != 0) begin : g_alone
                    assign able = in_bank & {{(DEPTH-1){!turn_bank[b]}}, 1'b1};
                end else begin : g_able
                    assign able = in_bank;
                end
                wire reads  = served[q*BANKS + b] && read_ok[b];
                wire writes = served[q*BANKS + b] && write_ok[b];
                wire rows   = served[q*BANKS + b] && row_ok[b] && !(|(able & hit_q));
                assign here[b*DEPTH +: DEPTH]      = in_bank & {DEPTH{cmd_bank == BANK}};
                assign may_read[b*DEPTH +: DEPTH]  = able & {DEPTH{reads}};
                assign may_write[b*DEPTH +: DEPTH] = able & {DEPTH{writes}};
                assign may_row[b*DEPTH +: DEPTH]   = able & {DEPTH{rows}};
                assign is_open[b*DEPTH +: DEPTH]   = in_bank & {DEPTH{open_q[b]}};
            end

            // Joins an entry's bits of all banks by OR.
            function [DEPTH-1:0] any_of(input [BANKS*DEPTH-1:0] planes);
                integer i;
                begin
                    any_of = {DEPTH{1'b0}};
                    for (i = 0; i < BANKS; i = i + 1) begin
                        any_of = any_of | planes[i*DEPTH +: DEPTH];
                    end
                end
            endfunction

            // Joins an entry's bits of the bank's number by AND.
            function [DEPTH-1:0] all_of(input [BANK_BITS*DEPTH-1:0] planes);
                integer i;
                begin
                    all_of = {DEPTH{1'b1}};
                    for (i = 0; i < BANK_BITS; i = i + 1) begin
                        all_of = all_of & planes[i*DEPTH +: DEPTH];
                    end
                end
            endfunction

            wire [DEPTH-1:0] busy       = any_of(here); // of the bank of the command being issued
            wire [DEPTH-1:0] candidates = hit_q & ((any_of(may_read) & ~write_q) |
                                                   (any_of(may_write) & write_q));

            // --- choice: the oldest ---
            wire [PLACES-1:0] columns_here = place_all(column_q);
            wire [PLACES-1:0] rows_here    = place_all(row_q);
            wire [GROUPS-1:0] column_groups = groups_of(columns_here);
            wire [GROUPS-1:0] row_groups    = groups_of(rows_here);
            wire [GROUPS-1:0] column_before = one_before(column_groups);
            wire [GROUPS-1:0] row_before    = one_before(row_groups);
            wire [PLACES-1:0] from_column   = from_oldest(columns_here);
            wire [PLACES-1:0] from_row      = from_oldest(rows_here);
            wire              reads_column  = (|column_q) && !columns;
            assign any_column[q] = reads_column;
            assign any_row[q]    = (|row_q) && !activates && !closes;
            // Finds the group of the choice, and in each group its candidate.
            wire [GROUPS-1:0] chosen_group = (column_groups & ~column_before &
                                              {GROUPS{use_column[q]}}) |
                                             (row_groups & ~row_before & {GROUPS{use_row[q]}});
            wire [PLACES-1:0] oldest_oh    = reads_column ? first_of(from_column)
                                                          : first_of(from_row);
            for (f = 0; f < NAME_BITS; f = f + 1) begin : g_name
                assign chosen_name[q*NAME_BITS + f] =
                    |(groups_of(oldest_oh & place_all(name_q[f*DEPTH +: DEPTH])) & chosen_group);
            end
            reg [DEPTH-1:0] last;
            integer i;
            always @* begin
                last = bursts_q[DEPTH-1:0];
                for (i = 1; i < BURST_BITS; i = i + 1) begin
                    last = last & ~bursts_q[i*DEPTH +: DEPTH];
                end
            end
            wire [DEPTH-1:0] held = busy & {DEPTH{cmd_valid_q}};
            assign chosen_free[q] = |(groups_of(oldest_oh & ~place_all(held)) & chosen_group);
            assign chosen_last[q] = |(groups_of(oldest_oh & place_all(last)) & chosen_group);
            assign chosen_open[q] = |(groups_of(oldest_oh & place_all(any_of(is_open))) &
                                      chosen_group);

            // --- the command being issued, and who enters ---
            wire [DEPTH-1:0]    issued_oh = from_q & ~(from_q << 1) & {DEPTH{issues_q}};
            wire [DEPTH-1:0]    up        = from_q & {DEPTH{leaves_q}};
            wire                enters    = enter_valid[q] && !taken_q[DEPTH-1];
            wire [DEPTH-1:0]    stay      = leaves_q ? taken_q >> 1 : taken_q;
            wire [DEPTH-1:0]    enters_oh = ((stay << 1) | {{(DEPTH-1){1'b0}}, 1'b1}) & ~stay &
                                            {DEPTH{enters}};
            wire [BANK_BITS-1:0] bank_in  = enter_bank[q*BANK_BITS +: BANK_BITS];
            wire [ROW_BITS-1:0]  row_in   = enter_row[q*ROW_BITS +: ROW_BITS];
            wire [ROW_BITS-1:0]  open_row;
            for (f = 0; f < ROW_BITS; f = f + 1) begin : g_open_row
                assign open_row[f] = |(open_row_q[f*BANKS +: BANKS] & bank_oh(bank_in));
            end
            // An entry's row is open after this cycle's command: the entry is compared at once with
            // the old row and with the command's, because updating the row first takes too long.
            wire was_hit    = (|(open_q & bank_oh(bank_in))) && open_row == row_in;
            wire same_bank  = bank_in == cmd_bank;
            wire same_row   = row_in == cmd_row;
            wire enters_hit = same_bank && activates ? same_row : was_hit && !(same_bank && closes);
            wire [NAME_BITS-1:0] enters_name = {enter_tag[q*TAG_BITS +: TAG_BITS], row_in, bank_in};
            reg [DEPTH-1:0] wants;  // the row of the command
            reg [DEPTH-1:0] hits;   // after the command
            reg [DEPTH-1:0] borrow;
            integer k;
            always @* begin
                wants = busy;
                for (k = 0; k < ROW_BITS; k = k + 1) begin
                    wants = wants & ~(name_q[(BANK_BITS + k)*DEPTH +: DEPTH] ^ {DEPTH{cmd_row[k]}});
                end
                hits = hit_q;
                if (activates) begin
                    hits = hit_q | wants;
                end
                if (closes) begin
                    hits = hit_q & ~busy;
                end
                taken_d  = stay | enters_oh;
                hit_d    = move(hits, up, enters_oh, enters_hit);
                write_d  = move(write_q, up, enters_oh, enter_write[q]);
                column_d = move(candidates, up, enters_oh, 1'b0);
                row_d    = move(any_of(may_row), up, enters_oh, 1'b0);
                for (k = 0; k < NAME_BITS; k = k + 1) begin
                    name_d[k*DEPTH +: DEPTH] = move(name_q[k*DEPTH +: DEPTH], up, enters_oh,
                                                    enters_name[k]);
                end
                borrow = issued_oh;
                for (k = 0; k < BURST_BITS; k = k + 1) begin
                    bursts_d[k*DEPTH +: DEPTH] = move(bursts_q[k*DEPTH +: DEPTH] ^ borrow, up,
                                                      enters_oh, enter_bursts[q*BURST_BITS + k]);
                    borrow = borrow & ~bursts_q[k*DEPTH +: DEPTH];
                end
                for (k = 0; k < DEPTH; k = k + 1) begin
                    from_d[k] = from_column[k] | column_before[k / GROUP];
                end
                issues_d = use_column[q] && chosen_free[q];
                leaves_d = use_column[q] && chosen_free[q] && chosen_last[q];
                if (rst_i) begin
                    taken_d  = {DEPTH{1'b0}};
                    hit_d    = {DEPTH{1'b0}};
                    column_d = {DEPTH{1'b0}};
                    row_d    = {DEPTH{1'b0}};
                    issues_d = 1'b0;
                    leaves_d = 1'b0;
                end
            end

            always @(posedge clk_i) begin
                taken_q  <= taken_d;
                name_q   <= name_d;
                bursts_q <= bursts_d;
                write_q  <= write_d;
                hit_q    <= hit_d;
                column_q <= column_d;
                row_q    <= row_d;
                from_q   <= from_d;
                issues_q <= issues_d;
                leaves_q <= leaves_d;
            end

            assign full[q] = taken_q[DEPTH-1];
            if (q == LOW) begin : g_oldest
                assign oldest_taken  = taken_q[0];
                assign oldest_hit    = hit_q[0];
                assign oldest_write  = write_q[0];
                assign oldest_column = column_q[0];
                assign oldest_row    = row_q[0];
                assign oldest_leaves = leaves_q && from_q[0];
                for (f = 0; f < BANK_BITS; f = f + 1) begin : g_bank_of
                    assign oldest_bank[f] = name_q[f*DEPTH];
                end
            end
        end
    endgenerate

    always @* begin
        cmd_valid_d = |chosen_free && !rst_i;
        cmd_kind_d  = |use_column ? COLUMN : |chosen_open ? PRECHARGE : ACTIVATE;
        cmd_high_d  = use_column[HIGH] || use_row[HIGH];
        cmd_last_d  = |use_column && |chosen_last;
        cmd_name_d  = chosen_name[HIGH*NAME_BITS +: NAME_BITS] |
                      chosen_name[LOW*NAME_BITS +: NAME_BITS];
    end

    always @(posedge clk_i) begin
        cmd_valid_q <= cmd_valid_d;
        cmd_kind_q  <= cmd_kind_d;
        cmd_high_q  <= cmd_high_d;
        cmd_last_q  <= cmd_last_d;
        cmd_name_q  <= cmd_name_d;
    end

    assign high_ready_o = !full[HIGH];
    assign low_ready_o  = !full[LOW];
    assign cmd_valid_o  = cmd_valid_q;
    assign cmd_kind_o   = cmd_kind_q;
    assign cmd_bank_o   = cmd_bank;
    assign cmd_row_o    = cmd_row;
    assign cmd_high_o   = cmd_high_q;
    assign cmd_last_o   = cmd_last_q;
    assign cmd_tag_o    = cmd_name_q[NAME_BITS-1 -: TAG_BITS];
endmodule

`default_nettype wire
