// SPDX-License-Identifier: Apache-2.0
// wm_address_map: row, bank and column of a line of one DRAM channel.
//
// Line       its number within the channel. BANK_MASK and COLUMN_MASK name the bits of the bank and
//            of the line's number within its row, the lowest first; the others are the row. Without
//            them, from the top: row, bank, column. The channel of a byte address, and its line
//            there, are the sender's work: with six of them that is a division.
// Limits     BANKS a power of two, 2 or more; ROW_BITS, COLUMN_BITS 1 or more. The masks have as
//            many bits as bank and column, and none in common (checked at elaboration).
// Cost       wires.
// Source     cmodel/dram/address.h
// Twins      none: part of rtl/top/memory_channel.v
`default_nettype none

module wm_address_map #(
    parameter integer BANKS       = 8,  // banks of the channel
    parameter integer ROW_BITS    = 16, // bits of a row number
    parameter integer COLUMN_BITS = 5,  // bits of a line's number within its row
    parameter integer BANK_MASK   = 0,  // bits of the line that are its bank; 0: above the column
    parameter integer COLUMN_MASK = 0   // bits that are its number within the row; 0: the lowest
) (
    input  wire [ROW_BITS+$clog2(BANKS)+COLUMN_BITS-1:0] line_i,  // the line
    output wire [ROW_BITS-1:0]                           row_o,   // its row
    output wire [$clog2(BANKS)-1:0]                      bank_o,  // its bank
    output wire [COLUMN_BITS-1:0]                        column_o // its number within the row
);
    localparam integer BANK_BITS = $clog2(BANKS);
    localparam integer LINE_BITS = ROW_BITS + BANK_BITS + COLUMN_BITS;
    localparam integer BANK_IN   = BANK_MASK != 0 ? BANK_MASK : (BANKS - 1) << COLUMN_BITS;
    localparam integer COLUMN_IN = COLUMN_MASK != 0 ? COLUMN_MASK : (1 << COLUMN_BITS) - 1;

    // Bits of a mask below a place; the lines of wide numbers have no mask there.
    function integer below(input integer mask, input integer place);
        integer k;
        begin
            below = 0;
            for (k = 0; k < place && k < 31; k = k + 1) begin
                below = below + ((mask >> k) & 1);
            end
        end
    endfunction

    generate
        if (below(BANK_IN, 31) != BANK_BITS || below(COLUMN_IN, 31) != COLUMN_BITS ||
            (BANK_IN & COLUMN_IN) != 0 || below(BANK_IN | COLUMN_IN, LINE_BITS) !=
                                              BANK_BITS + COLUMN_BITS) begin : g_illegal
            wm_address_map_parameters_out_of_range illegal ();
        end
    endgenerate

    genvar i;
    generate
        for (i = 0; i < LINE_BITS; i = i + 1) begin : g_bit
            if (i < 31 && ((BANK_IN >> i) & 1) != 0) begin : g_bank
                assign bank_o[below(BANK_IN, i)] = line_i[i];
            end else if (i < 31 && ((COLUMN_IN >> i) & 1) != 0) begin : g_column
                assign column_o[below(COLUMN_IN, i)] = line_i[i];
            end else begin : g_row
                assign row_o[i - below(BANK_IN | COLUMN_IN, i)] = line_i[i];
            end
        end
    endgenerate
endmodule

`default_nettype wire
