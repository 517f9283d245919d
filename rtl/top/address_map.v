// SPDX-License-Identifier: Apache-2.0
// wm_address_map: row, bank and column of a line of one DRAM channel.
//
// Line       its number within the channel. From the top: row, bank, line within the row. The
//            channel of a byte address, and its line there, are the sender's work: with six of them
//            that is a division.
// Limits     BANKS a power of two, 2 or more; ROW_BITS, COLUMN_BITS 1 or more.
// Cost       wires.
// Source     cmodel/dram/address.h, without dram.address_map.
// Twins      none: part of rtl/top/memory_channel.v
`default_nettype none

module wm_address_map #(
    parameter integer BANKS       = 8,  // banks of the channel
    parameter integer ROW_BITS    = 16, // bits of a row number
    parameter integer COLUMN_BITS = 5   // bits of a line's number within its row
) (
    input  wire [ROW_BITS+$clog2(BANKS)+COLUMN_BITS-1:0] line_i,  // the line
    output wire [ROW_BITS-1:0]                           row_o,   // its row
    output wire [$clog2(BANKS)-1:0]                      bank_o,  // its bank
    output wire [COLUMN_BITS-1:0]                        column_o // its number within the row
);
    assign {row_o, bank_o, column_o} = line_i;
endmodule

`default_nettype wire
