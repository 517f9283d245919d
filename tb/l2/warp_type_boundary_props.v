// SPDX-License-Identifier: Apache-2.0
// Properties of the mostly-miss boundary of wm_warp_type; tb/l2/warp_type_props.v has one of these.
// A reference counts requests and misses in as many stages, but with remainders and quotients.
// Source: Ausavarungnirun et al., PACT 2015, section 4.2 with footnote 3; footnote 2 for the clear.
`default_nettype none

module warp_type_boundary_props #(
    parameter UPDATES    = 12,
    parameter LOOKUPS    = 12,
    parameter MISS_20THS = 4,
    parameter MOVES      = 1,
    parameter WINDOW     = 10,
    parameter SUM_BITS   = 5, // of a cycle's requests
    parameter MOST_BITS  = 11 // of a window's misses
) (
    input wire                 clk_i,
    input wire                 rst_i,
    input wire                 clear_i,
    input wire                 started, // not the cycle of power-on
    input wire [UPDATES-1:0]   upd_valid_i,
    input wire [UPDATES-1:0]   upd_hit_i,
    input wire [LOOKUPS-1:0]   bypassed_i,
    input wire [4:0]           boundary_o,
    // The state inside.
    input wire [7:0]           accesses_q, // sums of the groups
    input wire [7:0]           no_hits_q, // sums of the groups
    input wire [7:0]           bypasses_q, // sums of the groups
    input wire [SUM_BITS-1:0]  sum_requests_q,
    input wire [SUM_BITS-1:0]  sum_misses_q,
    input wire [WINDOW-1:0]    requests_q,
    input wire [WINDOW-1:0]    misses_q,
    input wire                 ended_q,
    input wire [MOST_BITS-1:0] window_q,
    input wire [MOST_BITS-1:0] last_window_q,
    input wire [MOST_BITS-1:0] least_q,
    input wire                 excess_valid_q,
    input wire [MOST_BITS:0]   excess_q
);
    localparam SIZE = 1 << WINDOW;
    localparam KEPT = 2, FOLLOWS = 3; // of MOVES

    // The least, also in the cycle before it is stored.
    wire                 falls     = excess_valid_q && excess_q[MOST_BITS];
    wire [MOST_BITS-1:0] least_now = falls && MOVES != FOLLOWS ? last_window_q : least_q;

    wire forgets = rst_i || (MOVES < KEPT && clear_i);

    // Requests and misses of one and two cycles ago, of the window before them; a window that ended
    // in the last cycle; one that ended before, and what it makes the boundary.
    reg [7:0]            requests_1, misses_1, requests_2, misses_2;
    reg [MOST_BITS:0]    requests, misses, window, excess, least;
    reg                  ended, moves, first_window;
    reg [4:0]            boundary;
    reg [7:0]            requests_now, misses_now;
    wire [MOST_BITS+6:0] steps = 20 * excess / SIZE;
    wire [MOST_BITS:0]   requests_with = requests + requests_2;
    // With MOVES 3 windows are compared with a mean: warp_type_mean_props proves it.
    wire                 alone     = MOVES == FOLLOWS ? &least_q : first_window;
    wire [MOST_BITS:0]   reference = MOVES == FOLLOWS ? least_q : least;
    integer p;
    always @* begin
        requests_now = 0;
        misses_now   = 0;
        for (p = 0; p < UPDATES; p = p + 1) begin
            requests_now = requests_now + upd_valid_i[p];
            misses_now   = misses_now + (upd_valid_i[p] && !upd_hit_i[p]);
        end
        for (p = 0; p < LOOKUPS; p = p + 1) begin
            requests_now = requests_now + bypassed_i[p];
            misses_now   = misses_now + bypassed_i[p];
        end
    end
    always @(posedge clk_i) begin
        requests_1 <= requests_now;
        misses_1   <= misses_now;
        requests_2 <= requests_1;
        misses_2   <= misses_1;
        requests   <= requests_with % SIZE;
        misses     <= requests_with >= SIZE ? 0 : misses + misses_2;
        ended      <= requests_with >= SIZE;
        window     <= misses + misses_2;
        moves      <= ended;
        if (ended) begin
            least        <= first_window || window < least ? window : least;
            excess       <= alone || window < reference ? 0 : window - reference;
            first_window <= 1'b0;
        end
        if (moves) begin
            boundary <= steps > MISS_20THS ? 0 : MISS_20THS - steps;
        end
        if (forgets) begin
            requests_1   <= 0;
            misses_1     <= 0;
            requests_2   <= 0;
            misses_2     <= 0;
            requests     <= 0;
            misses       <= 0;
            ended        <= 1'b0;
            moves        <= 1'b0;
            first_window <= 1'b1;
            boundary     <= MISS_20THS;
        end
    end

    // The last cycle.
    reg                 was_reset, was_cleared, had_moved;
    reg [4:0]           boundary_before;
    reg [MOST_BITS-1:0] least_before;
    always @(posedge clk_i) begin
        was_reset       <= rst_i;
        was_cleared     <= clear_i && !rst_i;
        had_moved       <= moves;
        boundary_before <= boundary_o;
        least_before    <= least_now;
    end

    always @* begin
        if (started) begin
            // The boundary never rises above where it began; ...
            boundary_in_range: assert (boundary_o <= MISS_20THS);
            // ... it is there after a reset, and after a clear that is one for it.
            if (!MOVES || was_reset || (was_cleared && MOVES < KEPT)) begin
                boundary_begins: assert (boundary_o == MISS_20THS);
            end
            // Footnote 3: with MOVES it is as the windows' misses say.
            if (MOVES) begin
                boundary_moves: assert (boundary_o == boundary);
            end
            // Where it is kept, nothing but a window or a reset changes it, no clear does; and its
            // reference never rises, whatever the number of periods.
            if (MOVES >= KEPT && !was_reset) begin
                kept_but_for_windows: assert (had_moved || boundary_o == boundary_before);
                least_never_rises: assert (MOVES == FOLLOWS || least_now <= least_before);
            end

            // The state inside, which makes the induction close.
            misses_among_requests: assert (misses_1 <= requests_1 && misses_2 <= requests_2 &&
                                           misses <= requests && requests < SIZE &&
                                           requests_1 <= UPDATES + LOOKUPS &&
                                           requests_2 <= UPDATES + LOOKUPS);
            window_in_range: assert (!ended || window < SIZE + UPDATES + LOOKUPS);
            if (MOVES) begin
                sums_1: assert (accesses_q + bypasses_q == requests_1 &&
                                no_hits_q + bypasses_q == misses_1);
                sums_2: assert (sum_requests_q == requests_2 && sum_misses_q == misses_2);
                window_counts: assert (requests_q == requests && misses_q == misses);
                window_ended: assert (ended_q == ended && (!ended || window_q == window));
                least_kept: assert (MOVES == FOLLOWS ||
                                    (first_window ? &least_now : least_now == least));
                excess_kept: assert (excess_valid_q == moves &&
                                     (!moves || (falls ? excess == 0 : excess_q == excess)));
                // Windows that end one right behind the other take as many ports.
                rest_of_requests: assert (!ended || requests < UPDATES + LOOKUPS);
                windows_apart: assert (2 * (UPDATES + LOOKUPS) > SIZE || !(ended && moves));
                least_in_range: assert (MOVES == FOLLOWS || first_window ||
                                        least < SIZE + UPDATES + LOOKUPS);
            end
        end
        boundary_at_reset: cover (started && was_reset && boundary_o == MISS_20THS);
        boundary_at_its_end: cover (started && (!MOVES || boundary_o == 0));
        boundary_moved:
            cover (started && (!MOVES || was_cleared && boundary_before < MISS_20THS));
        boundary_kept:
            cover (started && (MOVES < KEPT || was_cleared && boundary_o < MISS_20THS));
    end
endmodule

// The mean of a period's windows, with MOVES 3: a division by the operator is the reference of the
// serial one, of which dividend = ((quotient * divisor + remainder) << left) + rest all the time.
module warp_type_mean_props #(
    parameter MOST_BITS  = 11,
    parameter TALLY_BITS = 10
) (
    input wire                            clk_i,
    input wire                            rst_i,
    input wire                            clear_i,
    input wire                            started,
    input wire                            ended_q,
    input wire [MOST_BITS-1:0]            window_q,
    input wire [MOST_BITS-1:0]            least_q,
    input wire [TALLY_BITS-1:0]           tally_q,
    input wire [TALLY_BITS-1:0]           divisor_q,
    input wire [MOST_BITS+TALLY_BITS-1:0] tally_misses_q,
    input wire [MOST_BITS+TALLY_BITS-1:0] dividend_q,
    input wire [31:0]                     left_q
);
    localparam ALL = MOST_BITS + TALLY_BITS;
    localparam SMALL = MOST_BITS <= 6; // a solver multiplies by so few bits
    // The period's windows and their misses; what is divided; the mean that comes of it.
    reg [TALLY_BITS:0] windows, windows_now;
    reg [ALL:0]        misses, misses_now, dividend;
    reg                divides, replaces;
    reg [MOST_BITS-1:0] mean, least_before;
    always @* begin
        windows_now = windows + ended_q;
        misses_now  = misses + (ended_q ? window_q : 0);
        if (windows_now == 1 << TALLY_BITS) begin
            windows_now = windows_now / 2;
            misses_now  = misses_now / 2;
        end
    end
    always @(posedge clk_i) begin
        windows      <= clear_i ? 0 : windows_now;
        misses       <= clear_i ? 0 : misses_now;
        divides      <= divides && left_q != 1;
        replaces     <= left_q == 1;
        mean         <= dividend_q[MOST_BITS-1:0];
        least_before <= least_q;
        if (clear_i && windows_now != 0) begin
            dividend <= misses_now;
            divides  <= 1'b1;
        end
        if (rst_i) begin
            windows  <= 0;
            misses   <= 0;
            divides  <= 1'b0;
            replaces <= 1'b0;
        end
    end

    // Parts of the register while it divides: the remainder, bits that are left, the quotient.
    wire [31:0]  left      = left_q - 1;
    wire [ALL:0] remainder = dividend_q >> MOST_BITS;
    wire [ALL:0] lower     = dividend_q[MOST_BITS-1:0];
    wire [ALL:0] quotient  = lower & ((1 << (MOST_BITS - left)) - 1);
    wire [ALL:0] rest      = lower >> (MOST_BITS - left);
    always @* begin
        if (started) begin
            windows_are_counted: assert (tally_q == windows && tally_misses_q == misses);
            a_mean_takes_its_cycles: assert (left_q <= MOST_BITS + 1 && divides == (left_q != 0));
            windows_in_range: assert (windows < 1 << TALLY_BITS &&
                                      misses <= (windows << MOST_BITS) - windows);
            if (SMALL && divides) begin
                divided: assert (divisor_q != 0 && remainder < divisor_q &&
                                 dividend == ((quotient * divisor_q + remainder) << left) + rest);
            end
            // The mean is the quotient, rounded down, and the reference from the next cycle on.
            if (SMALL && left_q == 1) begin
                mean_of_the_period: assert (lower * divisor_q <= dividend &&
                                            dividend < (lower + 1) * divisor_q);
            end
            if (replaces) begin
                reference_is_the_mean: assert (least_q == mean);
            end
        end
        mean_comes: cover (started && replaces && least_q != least_before);
    end
endmodule

`default_nettype wire
