// SPDX-License-Identifier: Apache-2.0
// Properties of wm_bank_timing: the masks are exactly the rules of cosim/legality.h.
`default_nettype none

// The head, with dut and started, is made from wm_bank_timing: python/warpmem/tools/props.py.
`BEGIN_bank_timing_props
    localparam BANK_BITS = $clog2(BANKS);
    localparam AGE_BITS  = $clog2((RC > FAW ? RC : FAW) + 2); // ages stop at their most
    localparam [AGE_BITS-1:0] OLD = {AGE_BITS{1'b1}};

    // One arbitrary bank. Ages of the latest commands that its own must keep a distance from, as of
    // this cycle and with its command.
    (* anyconst *) wire [BANK_BITS-1:0] watched;

    function integer group_number(input integer bank);
        group_number = LOW_GROUPS != 0 ? bank % GROUPS : bank / (BANKS / GROUPS);
    endfunction
    function [AGE_BITS-1:0] age_of(input now, input [AGE_BITS-1:0] age);
        age_of = now ? {AGE_BITS{1'b0}} : age == OLD ? OLD : age + 1'b1;
    endfunction
    // Has a command of so many cycles ago let this one pass by the time that the masks speak of?
    function is_over(input [AGE_BITS-1:0] age, input integer time);
        is_over = age == OLD || age + LEAD >= time;
    endfunction

    wire activates = cmd_valid_i && cmd_kind_i == 1;
    wire closes    = cmd_valid_i && cmd_kind_i == 2;
    wire columns   = cmd_valid_i && cmd_kind_i != 1 && cmd_kind_i != 2;
    reg  mine, in_group;
    integer n;
    always @* begin
        assume (!cmd_valid_i || (cmd_bank_oh_i != 0 && (cmd_bank_oh_i & (cmd_bank_oh_i - 1'b1)) == 0));
        mine     = 1'b0;
        in_group = 1'b0;
        for (n = 0; n < BANKS; n = n + 1) begin
            mine     = mine || (cmd_bank_oh_i[n] && n == watched);
            in_group = in_group || (cmd_bank_oh_i[n] && group_number(n) == group_number(watched));
        end
    end

    reg  [AGE_BITS-1:0] opened_q, closed_q, read_here_q, written_here_q;
    reg  [AGE_BITS-1:0] group_q, column_q, read_q, written_q, any_opened_q;
    reg                 is_open_q;
    wire [AGE_BITS-1:0] opened       = age_of(activates && mine, opened_q);
    wire [AGE_BITS-1:0] closed       = age_of(closes && mine, closed_q);
    wire [AGE_BITS-1:0] read_here    = age_of(columns && !cmd_write_i && mine, read_here_q);
    wire [AGE_BITS-1:0] written_here = age_of(columns && cmd_write_i && mine, written_here_q);
    wire [AGE_BITS-1:0] of_group     = age_of(columns && in_group, group_q);
    wire [AGE_BITS-1:0] column       = age_of(columns, column_q);
    wire [AGE_BITS-1:0] read         = age_of(columns && !cmd_write_i, read_q);
    wire [AGE_BITS-1:0] written      = age_of(columns && cmd_write_i, written_q);
    wire [AGE_BITS-1:0] any_opened   = age_of(activates, any_opened_q);
    wire                is_open      = activates && mine || is_open_q && !(closes && mine);

    // Ages of the latest four activates, the youngest first.
    reg  [4*AGE_BITS-1:0] four_q;
    wire [4*AGE_BITS-1:0] four = activates ? {aged(four_q) << AGE_BITS} : aged(four_q);
    function [4*AGE_BITS-1:0] aged(input [4*AGE_BITS-1:0] ages);
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            aged[i*AGE_BITS +: AGE_BITS] = age_of(1'b0, ages[i*AGE_BITS +: AGE_BITS]);
        end
    endfunction

    wire read_passes  = is_over(opened, RCD_READ) && is_over(of_group, COLUMN_GROUP) &&
                        is_over(column, COLUMN) && is_over(written, WRITE_TO_READ);
    wire write_passes = is_over(opened, RCD_WRITE) && is_over(of_group, COLUMN_GROUP) &&
                        is_over(column, COLUMN) && is_over(read, READ_TO_WRITE);
    wire close_passes = is_over(opened, RAS) && is_over(read_here, READ_TO_CLOSE) &&
                        is_over(written_here, WRITE_TO_CLOSE);
    wire open_passes  = is_over(opened, RC) && is_over(closed, RP) && is_over(any_opened, RRD) &&
                        (FAW == 0 || is_over(four[3*AGE_BITS +: AGE_BITS], FAW));

    // Users promise that a command is legal now: the masks of LEAD cycles ago, checked again here.
    function was_over(input [AGE_BITS-1:0] age, input integer time);
        was_over = age == OLD || age + 1 >= time;
    endfunction
    always @* begin
        assume (watched < BANKS);
        assume (!cmd_valid_i || cmd_kind_i < 3);
        if (cmd_valid_i && mine) begin
            if (columns) begin
                assume (is_open_q && was_over(group_q, COLUMN_GROUP) &&
                        was_over(column_q, COLUMN));
                assume (was_over(opened_q, cmd_write_i ? RCD_WRITE : RCD_READ));
                assume (was_over(cmd_write_i ? read_q : written_q,
                                 cmd_write_i ? READ_TO_WRITE : WRITE_TO_READ));
            end else if (activates) begin
                assume (!is_open_q && was_over(opened_q, RC) && was_over(closed_q, RP));
            end else begin
                assume (is_open_q && was_over(opened_q, RAS) &&
                        was_over(read_here_q, READ_TO_CLOSE) &&
                        was_over(written_here_q, WRITE_TO_CLOSE));
            end
        end
        // Commands of other banks keep the rules that count for all banks.
        assume (!columns || (was_over(column_q, COLUMN) &&
                             was_over(cmd_write_i ? read_q : written_q,
                                      cmd_write_i ? READ_TO_WRITE : WRITE_TO_READ)));
        assume (!(columns && in_group) || was_over(group_q, COLUMN_GROUP));
        assume (!activates || (was_over(any_opened_q, RRD) &&
                               (FAW == 0 || was_over(four_q[3*AGE_BITS +: AGE_BITS], FAW))));
    end

    always @(posedge clk_i) begin
        opened_q       <= opened;
        closed_q       <= closed;
        read_here_q    <= activates && mine ? OLD : read_here;
        written_here_q <= activates && mine ? OLD : written_here;
        group_q        <= of_group;
        column_q       <= column;
        read_q         <= read;
        written_q      <= written;
        any_opened_q   <= any_opened;
        four_q         <= four;
        is_open_q      <= is_open;
        if (rst_i) begin
            opened_q       <= OLD;
            closed_q       <= OLD;
            read_here_q    <= OLD;
            written_here_q <= OLD;
            group_q        <= OLD;
            column_q       <= OLD;
            read_q         <= OLD;
            written_q      <= OLD;
            any_opened_q   <= OLD;
            four_q         <= {4{OLD}};
            is_open_q      <= 1'b0;
        end
    end

    always @* begin
        if (started) begin
            open_as_told: assert (open_o[watched] == is_open);
            read_exactly: assert (read_ok_o[watched] == (is_open && read_passes));
            write_exactly: assert (write_ok_o[watched] == (is_open && write_passes));
            precharge_exactly: assert (precharge_ok_o[watched] == (is_open && close_passes));
            if (AW32 == 0) begin
                activate_exactly: assert (activate_ok_o[watched] == (!is_open && open_passes));
            end
        end
        write_after_read: cover (started && columns && cmd_write_i && mine && read_q < READ_TO_WRITE + 1);
        opens_again: cover (started && activates && mine && closed_q < RP + 2);
    end
endmodule

`default_nettype wire
