# SPDX-License-Identifier: Apache-2.0
"""Memories: area and delay of wm_sram_1r1w, and the macro that stands for it in synthesis and timing.

CACTI estimates them where the user has it (CACTI=path); else the results recorded in data/area/cacti.tsv.
"""
import dataclasses
import os
import re
import subprocess

from warpmem.tools.house import BadInput, ToolFailed, read_table

NODE = 45  # nm, of every estimate here: the node of the papers' figures
MACRO_BITS_MIN = 2048  # smaller ones are made of flip-flops, as memory compilers and CACTI start about here
SETUP_SHARE = 0.1  # of the access time: what an address or a word must be stable before the edge


@dataclasses.dataclass(frozen=True)
class Size:
    words: int
    bits: int

    @property
    def macro(self):
        return f"sram_{self.words}x{self.bits}_1r1w"

    @property
    def is_macro(self):
        return self.words * self.bits >= MACRO_BITS_MIN


@dataclasses.dataclass
class Estimate:
    """At 45 nm. read_nj, write_nj: of one access. source: "CACTI", "recorded", or "~recorded" when scaled per bit from another
    size: area and leakage by all its bits, energy by those of a word."""
    area_mm2: float
    access_ns: float
    cycle_ns: float
    read_nj: float
    write_nj: float
    leak_mw: float
    source: str


class Estimator:
    """size, ports ("1r1w", "1rw") -> Estimate."""

    def __init__(self, recorded_path, cacti=None):
        self.recorded = [row for row in read_table(recorded_path) if int(row["nm"]) == NODE]
        self.cacti = cacti
        if cacti is not None and not (os.path.isfile(cacti) and os.access(cacti, os.X_OK)):
            raise BadInput(f"CACTI={cacti}: must be CACTI's executable file")

    def estimate(self, size, ports):
        if self.cacti:
            return self._run(size, ports)
        rows = [row for row in self.recorded if row["name"] == "sram" and row["ports"] == ports]
        exact = [row for row in rows if (int(row["words"]), int(row["bits"])) == (size.words, size.bits)]
        if exact:
            return Estimate(*_figures(exact[0]), "recorded")

        def distance(row):
            return abs(int(row["words"]) * int(row["bits"]) - size.words * size.bits)
        nearest = min(rows, key=distance)
        share = size.words * size.bits / (int(nearest["words"]) * int(nearest["bits"]))
        area, access, cycle, read, write, leak = _figures(nearest)
        wide = size.bits / int(nearest["bits"])
        return Estimate(area * share, access, cycle, read * wide, write * wide, leak * share, "~recorded")

    def recorded_area(self, name):
        return next(float(row["area_mm2"]) for row in self.recorded if row["name"] == name)

    def _run(self, size, ports):
        folder = os.path.dirname(self.cacti) or "."  # it reads its technology files from where it runs
        config = os.path.abspath(os.path.join(self.work, f"{size.macro}-{ports}.cfg"))
        with open(config, "w", encoding="ascii") as file:
            file.write(_cacti_config(size, ports))
        done = subprocess.run([os.path.abspath(self.cacti), "-infile", config], cwd=folder, text=True,
                              capture_output=True, check=False)
        found = [re.search(pattern, done.stdout) for pattern in
                 (r"Data array: Area \(mm2\): ([\d.e+-]+)", r"Access time \(ns\): ([\d.e+-]+)",
                  r"Cycle time \(ns\):\s+([\d.e+-]+)")]
        # Area and clock need no figure that an older CACTI lacks.
        energies = [re.search(pattern, done.stdout) for pattern in
                    (r"Total dynamic read energy per access \(nJ\): ([\d.e+-]+)",
                     r"Total dynamic write energy per access \(nJ\): ([\d.e+-]+)",
                     r"Total leakage power of a bank.*?\(mW\): ([\d.e+-]+)")]
        if not all(found):  # it exits with 0 when it refuses
            said = (done.stdout + done.stderr).strip().splitlines()[-1:] or ["nothing"]
            raise ToolFailed(f"CACTI gives no figures for {size.words} x {size.bits} bits ({config}): {said[0]}")
        return Estimate(*(float(match.group(1)) if match else float("nan") for match in (*found, *energies)), "CACTI")

    work = "."


def _figures(row):
    return tuple(float(row[name]) for name in ("area_mm2", "access_ns", "cycle_ns", "read_nj", "write_nj", "leak_mw"))


def _cacti_config(size, ports):
    reads_or_writes, reads, writes = (1, 0, 0) if ports == "1rw" else (0, 1, 1)
    return f"""-size (bytes) {size.words * size.bits // 8}
-block size (bytes) {size.bits // 8}
-associativity 1
-read-write port {reads_or_writes}
-exclusive read port {reads}
-exclusive write port {writes}
-single ended read ports 0
-UCA bank count 1
-technology (u) {NODE / 1000:.3f}
-page size (bits) 8192
-burst length 8
-internal prefetch width 8
-Data array cell type - "itrs-hp"
-Data array peripheral type - "itrs-hp"
-Tag array cell type - "itrs-hp"
-Tag array peripheral type - "itrs-hp"
-output/input bus width {size.bits}
-operating temperature (K) 350
-cache type "ram"
-tag size (b) "default"
-access mode (normal, sequential, fast) - "normal"
-design objective (weight delay, dynamic power, leakage power, cycle time, area) 0:0:0:100:0
-deviate (delay, dynamic power, leakage power, cycle time, area) 20:100000:100000:100000:100000
-NUCAdesign objective (weight delay, dynamic power, leakage power, cycle time, area) 100:100:0:0:100
-NUCAdeviate (delay, dynamic power, leakage power, cycle time, area) 10:10000:10000:10000:10000
-Optimize ED or ED^2 (ED, ED^2, NONE): "ED^2"
-Cache model (NUCA, UCA)  - "UCA"
-NUCA bank count 0
-Wire signaling (fullswing, lowswing, default) - "Global_30"
-Wire inside mat - "semi-global"
-Wire outside mat - "semi-global"
-Interconnect projection - "conservative"
-Core count 8
-Cache level (L2/L3) - "L3"
-Add ECC - "false"
-Print level (DETAILED, CONCISE) - "DETAILED"
-Print input parameters - "true"
-Force cache config - "false"
-dram_type "DDR3"
-io state "WRITE"
-addr_timing 1.0
-mem_density 4 Gb
-bus_freq 800 MHz
-duty_cycle 1.0
-activity_dq 1.0
-activity_ca 0.5
-num_dq 72
-num_dqs 18
-num_ca 25
-num_clk 2
-num_mem_dq 2
-mem_data_width 8
-rtt_value 10000
-ron_value 34
-tflight_value
-num_bobs 1
-capacity 80
-num_channels_per_bob 1
-first metric "Cost"
-second metric "Bandwidth"
-third metric "Energy"
-DIMM model "ALL"
-mirror_in_bob "F"
"""


def address_bits(size):
    return max(1, (size.words - 1).bit_length())


def wrapper(sizes):
    """Verilog of wm_sram_1r1w: a macro where the size has one, else flip-flops."""
    macros = [size for size in sorted(sizes, key=lambda s: (s.words, s.bits)) if size.is_macro]
    branches = "".join(f"""        if (WORDS == {s.words} && DATA_BITS == {s.bits}) begin : g_macro_{s.words}x{s.bits}
            {s.macro} macro (.clk_i(clk_i), .wr_en_i(wr_en_i), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i),
                .rd_en_i(rd_en_i), .rd_addr_i(rd_addr_i), .rd_data_o(rd_data_o));
        end else
""" for s in macros)
    blackboxes = "".join(f"""(* blackbox *) module {s.macro} (input clk_i, input wr_en_i,
    input [{address_bits(s) - 1}:0] wr_addr_i, input [{s.bits - 1}:0] wr_data_i, input rd_en_i,
    input [{address_bits(s) - 1}:0] rd_addr_i, output [{s.bits - 1}:0] rd_data_o);
endmodule
""" for s in macros)
    return f"""{blackboxes}module wm_sram_1r1w #(parameter WORDS = 384, parameter DATA_BITS = 64) (
    input clk_i, input wr_en_i, input [$clog2(WORDS)-1:0] wr_addr_i, input [DATA_BITS-1:0] wr_data_i,
    input rd_en_i, input [$clog2(WORDS)-1:0] rd_addr_i, output [DATA_BITS-1:0] rd_data_o);
    generate
{branches}        begin : g_flip_flops
            reg [DATA_BITS-1:0] words [0:WORDS-1];
            reg [DATA_BITS-1:0] rd_data_q;
            always @(posedge clk_i) begin
                if (wr_en_i) words[wr_addr_i] <= wr_data_i;
                if (rd_en_i) rd_data_q <= words[rd_addr_i];
            end
            assign rd_data_o = rd_data_q;
        end
    endgenerate
endmodule
"""


OPEN = """(* blackbox *) (* dynports *)
module wm_sram_1r1w #(parameter WORDS = 384, parameter DATA_BITS = 64) (
    input clk_i, input wr_en_i, input [$clog2(WORDS)-1:0] wr_addr_i, input [DATA_BITS-1:0] wr_data_i,
    input rd_en_i, input [$clog2(WORDS)-1:0] rd_addr_i, output [DATA_BITS-1:0] rd_data_o);
endmodule
"""


def _bus(name, bits, direction, timing):
    return f"""    bus({name}) {{ bus_type : b{bits}; direction : {direction}; capacitance : 0.001;
{timing}    }}
"""


def liberty(size, estimate, delay_factor, area_um2):
    """The macro as a Liberty library. @delay_factor: delays at the library's node over those at 45 nm."""
    access, setup = estimate.access_ns * delay_factor, estimate.access_ns * delay_factor * SETUP_SHARE
    check = "".join(f"""      timing() {{ related_pin : "clk_i"; timing_type : {kind}_rising;
        rise_constraint(scalar) {{ values("{value:.5f}"); }} fall_constraint(scalar) {{ values("{value:.5f}"); }} }}
""" for kind, value in (("setup", setup), ("hold", 0.0)))
    arc = f"""      timing() {{ related_pin : "clk_i"; timing_type : rising_edge;
        cell_rise(scalar) {{ values("{access:.5f}"); }} rise_transition(scalar) {{ values("0.05"); }}
        cell_fall(scalar) {{ values("{access:.5f}"); }} fall_transition(scalar) {{ values("0.05"); }} }}
"""
    widths = sorted({address_bits(size), size.bits})
    types = "".join(f"""  type(b{b}) {{
    base_type : array; data_type : bit; bit_width : {b}; bit_from : {b - 1}; bit_to : 0; downto : true;
  }}
""" for b in widths)
    pins = "".join(f"""    pin({pin}) {{ direction : input; capacitance : 0.001;
{check}    }}
""" for pin in ("wr_en_i", "rd_en_i"))
    buses = "".join((_bus("wr_addr_i", address_bits(size), "input", check), _bus("wr_data_i", size.bits, "input", check),
                     _bus("rd_addr_i", address_bits(size), "input", check), _bus("rd_data_o", size.bits, "output", arc)))
    return f"""library({size.macro}) {{
  delay_model : table_lookup; time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1uA";
  pulling_resistance_unit : "1kohm"; leakage_power_unit : "1nW"; capacitive_load_unit (1,pf);
  slew_upper_threshold_pct_rise : 80; slew_lower_threshold_pct_rise : 20;
  slew_upper_threshold_pct_fall : 80; slew_lower_threshold_pct_fall : 20;
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  nom_process : 1; nom_voltage : 1.0; nom_temperature : 25;
{types}  cell({size.macro}) {{ area : {area_um2:.3f};
    pin(clk_i) {{ direction : input; clock : true; capacitance : 0.001; }}
{pins}{buses}  }}
}}
"""
