// SPDX-License-Identifier: Apache-2.0
// Properties of wm_fr_fcfs, for two arbitrary requests. The controller around it keeps to its side:
// see `assume`.
`default_nettype none

// The head, with dut and started, is made from wm_fr_fcfs: python/warpmem/tools/props.py.
`BEGIN_fr_fcfs_props
    localparam BANK_BITS  = $clog2(BANKS);
    localparam WORD_BITS  = TAG_BITS + BANK_BITS + ROW_BITS + BANKS + 1;
    localparam [BANKS-1:0] BANK_0 = 1;
    localparam PLACES     = DEPTH + 1;
    localparam CNT_BITS   = $clog2(PLACES + 1);

    // --- the DRAM as the commands make it, and the masks of the last cycle ---
    wire is_column    = cmd_valid_o && cmd_kind_o == 2'd0;
    wire is_activate  = cmd_valid_o && cmd_kind_o == 2'd1;
    wire is_precharge = cmd_valid_o && cmd_kind_o == 2'd2;
    reg  [BANKS-1:0]          open;
    reg  [BANKS*ROW_BITS-1:0] open_row;
    wire [BANKS-1:0] cmd_bank_oh = BANK_0 << cmd_bank_o;
    wire [BANKS-1:0] open_after  = (open | (cmd_bank_oh & {BANKS{is_activate}})) &
                                   ~(cmd_bank_oh & {BANKS{is_precharge}});
    reg  [BANKS-1:0] read_ok, write_ok, precharge_ok, activate_ok;
    always @(posedge clk_i) begin
        open         <= open_after;
        read_ok      <= read_ok_i;
        write_ok     <= write_ok_i;
        precharge_ok <= precharge_ok_i;
        activate_ok  <= activate_ok_i;
        if (is_activate) begin
            open_row[cmd_bank_o*ROW_BITS +: ROW_BITS] <= cmd_row_o;
        end
        if (rst_i) begin
            open         <= {BANKS{1'b0}};
            read_ok      <= {BANKS{1'b0}};
            write_ok     <= {BANKS{1'b0}};
            precharge_ok <= {BANKS{1'b0}};
            activate_ok  <= {BANKS{1'b1}};
        end
    end

    always @* begin
        // The masks are of the banks as they are after this cycle's command.
        assume (((read_ok_i | write_ok_i | precharge_ok_i) & ~open_after) == {BANKS{1'b0}});
        assume ((activate_ok_i & open_after) == {BANKS{1'b0}});
        assume (req_bursts_i != {BURST_BITS{1'b0}});
    end

    // --- two arbitrary requests, the first one older ---
    // Each is the one that arrives where its pick says so.
    (* anyseq *) wire [1:0] pick;
    wire                   arrives = req_valid_i && req_ready_o;
    reg  [CNT_BITS-1:0]    cnt_q;     // requests inside
    reg  [1:0]             inside_q;  // it came in an earlier cycle
    reg  [1:0]             last_q;    // and no other one after it
    reg  [1:0]             first_q;   // it came in the last cycle
    reg  [2*PLACES-1:0]    place_q;   // one-hot: its place
    reg  [2*BANK_BITS-1:0] bank_q;
    reg  [2*ROW_BITS-1:0]  row_q;
    reg  [2*COLUMN_BITS-1:0] line_q;
    reg  [1:0]             write_q;
    reg  [2*BURST_BITS-1:0] bursts_q;
    reg  [2*TAG_BITS-1:0]  tag_q;

    wire [1:0] comes = {arrives && pick[1] && !inside_q[1] && inside_q[0],
                        arrives && pick[0] && !inside_q[0] && !inside_q[1]};
    // In this cycle's choice: of DEPTH + 1 the last one is not.
    wire [1:0] here  = inside_q & ~(last_q & {2{cnt_q == PLACES}});
    wire [1:0] mine;                                        // the command is its own
    wire [1:0] legal, row_legal;                            // its column, its row command
    wire [1:0] hit;
    wire [1:0]               told;      // the command is as the request asked
    wire [1:0]               kept;      // the block has it as it came
    wire [1:0]               free;      // no older one of its line is inside: of the two, for one

    // The place whose command is issued.
    wire [PLACES-1:0] issued = dut.any_column ? dut.column_oh : dut.row_oh;
    always @(posedge clk_i) begin
        cnt_q <= rst_i ? {CNT_BITS{1'b0}} : cnt_q + arrives - (cmd_valid_o && cmd_last_o);
    end

    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : g_request
            wire [BANK_BITS-1:0]   bank_0   = bank_q[i*BANK_BITS +: BANK_BITS];
            wire [ROW_BITS-1:0]    row_0    = row_q[i*ROW_BITS +: ROW_BITS];
            wire                   write_0  = write_q[i];
            wire [BURST_BITS-1:0]  bursts_0 = bursts_q[i*BURST_BITS +: BURST_BITS];
            wire [PLACES-1:0]      place    = place_q[i*PLACES +: PLACES];
            assign mine[i] = cmd_valid_o && inside_q[i] && |(issued & place);
            assign hit[i]  = open[bank_0] && open_row[bank_0*ROW_BITS +: ROW_BITS] == row_0;
            assign legal[i] = hit[i] && (write_0 ? write_ok[bank_0] : read_ok[bank_0]);
            assign row_legal[i] = !hit[i] && (open[bank_0] ? precharge_ok[bank_0] && !hold_i[bank_0]
                                                           : activate_ok[bank_0]);
            assign told[i] = cmd_bank_o == bank_0 && cmd_bank_oh_o == BANK_0 << bank_0 &&
                             cmd_row_o == row_0 && cmd_write_o == write_0 &&
                             cmd_tag_o == tag_q[i*TAG_BITS +: TAG_BITS] &&
                             (!is_column || cmd_bursts_o == bursts_0) &&
                             cmd_last_o == (is_column && bursts_0 == 1);

            always @(posedge clk_i) begin
                if (comes[i]) begin
                    place_q[i*PLACES +: PLACES]           <= dut.place;
                    bank_q[i*BANK_BITS +: BANK_BITS]      <= req_bank_i;
                    row_q[i*ROW_BITS +: ROW_BITS]         <= req_row_i;
                    line_q[i*COLUMN_BITS +: COLUMN_BITS]  <= req_column_i;
                    write_q[i]                            <= req_write_i;
                    tag_q[i*TAG_BITS +: TAG_BITS]         <= req_tag_i;
                end
                bursts_q[i*BURST_BITS +: BURST_BITS] <= comes[i] ? req_bursts_i
                                                                 : bursts_0 - (mine[i] && is_column);
                inside_q[i] <= (comes[i] || inside_q[i] && !(mine[i] && cmd_last_o)) && !rst_i;
                last_q[i]   <= comes[i] || (last_q[i] && !arrives);
                first_q[i]  <= comes[i] && !rst_i;
            end

            // The block has it in its place as it came.
            reg [WORD_BITS-1:0]   word_there;
            reg [BURST_BITS-1:0]  bursts_there;
            reg [COLUMN_BITS-1:0] line_there;
            integer p;
            always @* begin
                word_there   = {WORD_BITS{1'b0}};
                bursts_there = {BURST_BITS{1'b0}};
                line_there   = {COLUMN_BITS{1'b0}};
                for (p = 0; p < PLACES; p = p + 1) begin
                    word_there   = word_there | (dut.word_q[p*WORD_BITS +: WORD_BITS] &
                                                 {WORD_BITS{place[p]}});
                    bursts_there = bursts_there | (dut.bursts_q[p*BURST_BITS +: BURST_BITS] &
                                                   {BURST_BITS{place[p]}});
                    line_there   = line_there | (dut.line[p*COLUMN_BITS +: COLUMN_BITS] &
                                                 {COLUMN_BITS{place[p]}});
                end
            end
            assign kept[i] = |(dut.valid_q & place) && (place & (place - 1'b1)) == 0 &&
                word_there == {tag_q[i*TAG_BITS +: TAG_BITS], bank_q[i*BANK_BITS +: BANK_BITS],
                               row_q[i*ROW_BITS +: ROW_BITS],
                               BANK_0 << bank_q[i*BANK_BITS +: BANK_BITS], write_q[i]} &&
                bursts_there == bursts_q[i*BURST_BITS +: BURST_BITS] &&
                (!ORDER || line_there == line_q[i*COLUMN_BITS +: COLUMN_BITS]);
            assign free[i] = !ORDER || |(~dut.held_q & place);
        end
    endgenerate

    wire same_bank = bank_q[0 +: BANK_BITS] == bank_q[BANK_BITS +: BANK_BITS];
    wire same_row  = same_bank && row_q[0 +: ROW_BITS] == row_q[ROW_BITS +: ROW_BITS];
    wire same_line = same_row && line_q[0 +: COLUMN_BITS] == line_q[COLUMN_BITS +: COLUMN_BITS];
    wire conflict  = ORDER && same_line && |write_q;
    wire [PLACES-1:0] place_0 = place_q[0 +: PLACES], place_1 = place_q[PLACES +: PLACES];

    // --- the state inside, which makes the induction close ---
    reg  [PLACES-1:0] banks_right, hits_right;
    reg  [BANKS-1:0] kept_banks, wish_bank; // of the hits that take part; of that which does not
    reg  [CNT_BITS-1:0] valid_cnt;
    reg              transitive, pair_waits, pair_before, last_is_last, held_right, waits_for_one;
    reg  [BANKS-1:0] bank_of_p;
    integer p, r, t;
    always @* begin
        kept_banks   = {BANKS{1'b0}};
        transitive   = 1'b1;
        held_right   = 1'b1;
        wish_bank    = {BANKS{1'b0}};
        valid_cnt    = {CNT_BITS{1'b0}};
        last_is_last = 1'b1;
        pair_waits   = 1'b0;
        pair_before  = 1'b0;
        for (p = 0; p < PLACES; p = p + 1) begin
            bank_of_p      = dut.word_q[p*WORD_BITS + 1 +: BANKS];
            banks_right[p] = !dut.valid_q[p] || bank_of_p ==
                BANK_0 << dut.word_q[p*WORD_BITS + 1 + BANKS + ROW_BITS +: BANK_BITS];
            hits_right[p]  = 1'b0;
            for (t = 0; t < BANKS; t = t + 1) begin
                hits_right[p] = hits_right[p] || (dut.valid_q[p] && bank_of_p[t] && open[t] &&
                    open_row[t*ROW_BITS +: ROW_BITS] ==
                    dut.word_q[p*WORD_BITS + 1 + BANKS +: ROW_BITS]);
            end
            valid_cnt = valid_cnt + dut.valid_q[p];
            if (hits_right[p] && cnt_q == PLACES && dut.newest_q[p]) begin
                wish_bank = bank_of_p;
            end else begin
                kept_banks = kept_banks | (bank_of_p & {BANKS{hits_right[p]}});
            end
            hits_right[p] = !dut.valid_q[p] || hits_right[p] == dut.hit[p];
            waits_for_one = 1'b0;
            for (r = 0; r < PLACES; r = r + 1) begin
                waits_for_one = waits_for_one || (dut.valid_q[r] && dut.precedes[r*PLACES + p] &&
                                                  dut.waits[r*PLACES + p]);
                if (place_0[p] && place_1[r]) begin
                    pair_waits  = dut.waits[p*PLACES + r];
                    pair_before = dut.precedes[p*PLACES + r];
                end
                last_is_last = last_is_last && !(dut.newest_q[p] && dut.precedes[p*PLACES + r]);
                for (t = 0; t < PLACES; t = t + 1) begin
                    transitive = transitive && !(dut.valid_q[p] && dut.valid_q[r] &&
                        dut.valid_q[t] && dut.precedes[p*PLACES + r] &&
                        dut.precedes[r*PLACES + t] && !dut.precedes[p*PLACES + t]);
                end
            end
            held_right = held_right && (!dut.valid_q[p] || dut.held_q[p] == waits_for_one);
        end
    end
    // Rows of all pairs are compared as they are, and those of open banks are known.
    reg same_right, rows_right;
    integer u, v;
    always @* begin
        same_right = 1'b1;
        rows_right = 1'b1;
        for (u = 0; u < BANKS; u = u + 1) begin
            rows_right = rows_right && (!open[u] || dut.open_row_q[u*ROW_BITS +: ROW_BITS] ==
                                                    open_row[u*ROW_BITS +: ROW_BITS]);
        end
        for (u = 0; u < PLACES; u = u + 1) begin
            for (v = 0; v < PLACES; v = v + 1) begin
                same_right = same_right && (u == v || !dut.valid_q[u] || !dut.valid_q[v] ||
                    dut.same[u*PLACES + v] == (dut.word_q[u*WORD_BITS + 1 +: BANKS + ROW_BITS] ==
                                              dut.word_q[v*WORD_BITS + 1 +: BANKS + ROW_BITS]));
            end
        end
    end

    always @* begin
        if (started) begin
            kind_in_range: assert (cmd_kind_o != 2'd3);
            // One request, which is inside, has the command.
            command_of_one: assert (!cmd_valid_o || ((issued & ~dut.valid_q) == 0 &&
                (issued & (issued - 1'b1)) == 0 && issued != 0));
            // It refuses only while DEPTH take part and one waits, and that one has no command.
            refuses_when_full: assert (req_ready_o == (cnt_q != PLACES));
            first_takes_part: assert (!mine[0] || here[0]);
            second_takes_part: assert (!mine[1] || here[1]);
            // A command is as its request asked; its last one comes after all of its bursts, and
            // it is in the queue until then: none is lost, none has a command afterwards.
            first_as_asked: assert (!mine[0] || told[0]);
            second_as_asked: assert (!mine[1] || told[1]);
            first_is_kept: assert (!inside_q[0] || kept[0]);
            second_is_kept: assert (!inside_q[1] || kept[1]);
            places_apart: assert (!(&inside_q) || place_0 != place_1);
            bursts_are_left: assert ((!inside_q[0] || bursts_q[0 +: BURST_BITS] != 0) &&
                                     (!inside_q[1] || bursts_q[BURST_BITS +: BURST_BITS] != 0));
            // Commands are legal.
            if (is_column) begin
                column_of_open_row: assert (open[cmd_bank_o] && cmd_row_o ==
                                            open_row[cmd_bank_o*ROW_BITS +: ROW_BITS]);
                column_was_legal: assert (cmd_write_o ? write_ok[cmd_bank_o] : read_ok[cmd_bank_o]);
            end
            if (is_activate) begin
                activate_was_legal: assert (!open[cmd_bank_o] && activate_ok[cmd_bank_o]);
            end
            if (is_precharge) begin
                precharge_was_legal: assert (open[cmd_bank_o] && precharge_ok[cmd_bank_o] &&
                                             !hold_i[cmd_bank_o]);
                // No row is closed that a request wants.
                row_nobody_wants: assert (!(here[0] && hit[0] &&
                                            bank_q[0 +: BANK_BITS] == cmd_bank_o));
            end
            // A legal hit lets a column command be issued, and none of a younger request.
            if (here[0] && legal[0] && free[0]) begin
                oldest_legal_hit_wins: assert (is_column && !mine[1]);
            end
            // A legal row command goes before that of a younger request, and something is issued:
            // of a bank whose row no request wants.
            if (here[0] && row_legal[0] && !kept_banks[bank_q[0 +: BANK_BITS]]) begin
                oldest_legal_row_wins: assert (is_column || (cmd_valid_o && !mine[1]));
            end
            // With ORDER no request passes an older one of its line.
            if (inside_q == 2'b11 && conflict) begin
                no_pass_within_a_line: assert (!(mine[1] && is_column));
            end
            // Without one, nobody waits for its line.
            if (!ORDER) begin
                nobody_waits: assert (dut.held_q == 0 && dut.new_waits == 0);
            end

            open_is_known: assert (dut.open_q == open);
            rows_are_known: assert (rows_right);
            masks_are_known: assert (dut.read_q == read_ok && dut.write_q == write_ok &&
                                     dut.row_q == (precharge_ok | activate_ok));
            masks_fit_banks: assert (((read_ok | write_ok | precharge_ok) & ~open) == 0 &&
                                     (activate_ok & open) == 0);
            one_bank_each: assert (&banks_right);
            hits_are_known: assert (&hits_right);
            kept_is_known: assert (dut.kept_q == kept_banks);
            count_is_known: assert (cnt_q == valid_cnt && cnt_q <= PLACES &&
                                    dut.full_q == (cnt_q == PLACES));
            if (cnt_q == PLACES) begin
                last_is_known: assert (dut.newest_q != 0 && last_is_last &&
                                       (dut.newest_q & (dut.newest_q - 1'b1)) == 0);
                wish_is_known: assert ((dut.wish_q & ~wish_bank) == 0 &&
                                       (wish_bank & ~dut.wish_q & ~kept_banks) == 0);
            end
            first_may_be_last: assert (!inside_q[0] || last_q[0] == (dut.newest_q == place_0));
            second_may_be_last: assert (!inside_q[1] || last_q[1] == (dut.newest_q == place_1));
            held_is_known: assert (held_right);
            ages_are_in_order: assert (transitive);
            rows_are_compared: assert (same_right);
            if (&inside_q) begin
                first_is_older: assert (pair_before);
                lines_are_compared: assert (pair_waits == conflict);
            end
        end
        shows_a_hit_that_passes: cover (started && &inside_q && mine[1] && is_column && !hit[0] &&
                                        same_bank && row_q[0] != row_q[ROW_BITS]);
        leaves_in_its_first_cycle: cover (started && first_q[0] && mine[0] && cmd_last_o);
        waits_for_a_place: cover (started && inside_q[0] && !here[0] && !first_q[0]);
        waits_for_its_line: cover (!ORDER || (started && &inside_q && conflict && legal[1]));
    end
endmodule

`default_nettype wire
