// SPDX-License-Identifier: Apache-2.0
// One-hot helpers. Each macro defines a function, because Verilog-2005 functions have fixed widths.
//
//   `WM_LOWEST_OF(name, MARKS)        name(marks)         the lowest of the marks
//   `WM_NUMBER_OF(name, MARKS, BITS)  name(mark)          the number of the marked one; 0 without
//   `WM_WORD_OF(name, WORDS, BITS)    name(words, mark)   the marked word; 0 without; of several
//                                                         their OR
`ifndef WM_ONEHOT
`define WM_ONEHOT

`define WM_LOWEST_OF(NAME, MARKS) \
    function [MARKS-1:0] NAME(input [MARKS-1:0] marks); \
        integer i; \
        reg     lower; \
        begin \
            lower = 1'b0; \
            for (i = 0; i < MARKS; i = i + 1) begin \
                NAME[i] = marks[i] && !lower; \
                lower   = lower || marks[i]; \
            end \
        end \
    endfunction

`define WM_NUMBER_OF(NAME, MARKS, BITS) \
    function [BITS-1:0] NAME(input [MARKS-1:0] mark); \
        integer i; \
        begin \
            NAME = {BITS{1'b0}}; \
            for (i = 0; i < MARKS; i = i + 1) begin \
                NAME = NAME | (i[BITS-1:0] & {BITS{mark[i]}}); \
            end \
        end \
    endfunction

`define WM_WORD_OF(NAME, WORDS, BITS) \
    function [BITS-1:0] NAME(input [WORDS*BITS-1:0] words, input [WORDS-1:0] mark); \
        integer i; \
        begin \
            NAME = {BITS{1'b0}}; \
            for (i = 0; i < WORDS; i = i + 1) begin \
                NAME = NAME | (words[i*BITS +: BITS] & {BITS{mark[i]}}); \
            end \
        end \
    endfunction

`endif
