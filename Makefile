# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Options: BUILD=dir, OPT=-O3, V=1 (show commands), CC=, SANITIZE=1, JOBS= (default: all cores).
BUILD ?= build
ifeq ($(strip $(BUILD)),)
$(error BUILD is empty: it names the folder to build in)
endif
OPT ?= -O3
V ?= 0
JOBS ?= $(shell nproc)
# A top make without -j runs JOBS at once; makes inside it share its jobs. These goals run one thing after another, and some of
# them start makes with their own jobs.
ONE_AT_A_TIME := clean test check evidence mutate
ifeq ($(MAKELEVEL)$(filter $(ONE_AT_A_TIME),$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(JOBS)
endif
# Compilers run through ccache if it is installed; CCACHE= turns it off.
CCACHE ?= $(notdir $(shell command -v ccache))
ifneq ($(CCACHE),)
ifeq ($(findstring ccache,$(CC)$(CXX)),)
override CC := $(CCACHE) $(CC)
override CXX := $(CCACHE) $(CXX)
endif
endif
Q := $(if $(filter 1,$(V)),,@)

CFLAGS_STD := -std=c11 -D_POSIX_C_SOURCE=200809L -Icmodel -Wall -Wextra -Werror -ffp-contract=off
comma := ,
SANITIZERS := $(if $(SANITIZE),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all)
CFLAGS_ALL := $(CFLAGS_STD) $(OPT) -g $(SANITIZERS) -MMD -MP $(CFLAGS)
LDLIBS_MODEL := -ljansson -linih -lzstd -llzma -lpthread -lm
LDFLAGS_ALL := $(SANITIZERS) $(LDFLAGS)
# The functions that a plug-in may call (docs/extending.md).
PLUGIN_LDFLAGS := $(addprefix -Wl$(comma)--export-dynamic-symbol=,'stats_register*' 'scheduler_oldest' 'swl_allowed' \
    'tag_find' 'tag_victim')

.PHONY: all clean versions help FORCE
all: ## build everything a user runs

# --- the C model -----------------------------------------------------------------------------------------------------
include cmodel/config/rules.mk
include cmodel/trace/rules.mk
include cmodel/workloads/rules.mk
include cmodel/cli/rules.mk

# Each program has its own main(); all other files of cmodel/ form the library that programs and tests link.
PROGRAM_SRC := $(addprefix cmodel/cli/,main.c options/no_rtl_options.c wave/wavediff.c wave/wave_stream.c)
MODEL_SRC := $(filter-out $(PROGRAM_SRC),$(shell find cmodel -name '*.c' | LC_ALL=C sort))
GENERATED := presets opcodes costs sets commit
MODEL_OBJ := $(MODEL_SRC:%.c=$(BUILD)/obj/%.o) $(GENERATED:%=$(BUILD)/obj/gen/%_data.o)
MODEL_LIB := $(BUILD)/libwarpmem.a

$(BUILD)/obj/%.o: %.c $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -c $< -o $@

$(BUILD)/obj/gen/%_data.o: $(BUILD)/gen/%_data.c $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -c $< -o $@

$(MODEL_LIB): $(MODEL_OBJ)
	@echo "  AR      $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/warpmem: $(BUILD)/obj/cmodel/cli/main.o $(BUILD)/obj/cmodel/cli/options/no_rtl_options.o $(MODEL_LIB) | $(PROGRAM_SCRIPTS)
	@echo "  LINK    $@"
	$(Q)$(CC) $(LDFLAGS_ALL) $(PLUGIN_LDFLAGS) $^ $(LDLIBS_MODEL) -o $@

# Reads a DRAM command log, without code of the model.
$(BUILD)/dramcheck: cosim/dramcheck.c $(BUILD)/model.flags
	@echo "  LINK    $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb $< $(LDFLAGS_ALL) -o $@

-include $(BUILD)/dramcheck.d

# --- capture of CUDA programs ----------------------------------------------------------------------------------------
include capture/rules.mk

# --- Verilog, and what holds the two equal ---------------------------------------------------------------------------
include rtl/rules.mk
include tb/rules.mk

# The models of the longest Verilog first: the sets of one block are made one after another, while another core has the rest.
all: $(patsubst %,$(BUILD)/rtl/%/machine.a,$(filter $(MACHINE_BLOCKS),$(SLOWEST_FIRST))) \
    $(BUILD)/warpmem $(BUILD)/warpmem-rtl $(BUILD)/wavediff $(BUILD)/wavejoin $(BUILD)/dramcheck $(CAPTURE_TOOLS)

# Objects depend on these files, which are written when flags or compilers have changed. Immediate, because a prerequisite sees the
# variables of the target that needs it.
FLAGS_OF_model := $(CFLAGS_ALL) | $(LDFLAGS_ALL)
FLAGS_OF_verilog := $(CXXFLAGS_RTL) | $(RTL_COVERAGE)
COMPILERS := $(foreach compiler,CC CXX,'$(filter-out ccache,$($(compiler)))') verilator
$(BUILD)/model.flags $(BUILD)/verilog.flags: $(BUILD)/%.flags: FORCE
	@mkdir -p $(@D)
	@{ echo '$(subst ','\'',$(FLAGS_OF_$*))'; for c in $(COMPILERS); do echo "$$c"; $$c --version | head -n 1; done; } >$@.$$$$ 2>&1; \
	    cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@
FORCE:

ONLY_SAYS := $(findstring n,$(firstword -$(MAKEFLAGS)))$(findstring q,$(firstword -$(MAKEFLAGS)))
# Prefix of a program that calls make: the program gets the jobs, but make -n does not run it, unlike a make.
RUNS_MAKE := $(if $(ONLY_SAYS),,+)
# Another name, because make -n runs each line with the usual one.
THIS_MAKE := $(MAKE)

# The same command with every Verilated block linked in.
$(BUILD)/warpmem-rtl: $(BUILD)/obj/cmodel/cli/main.o $(BUILD)/obj/cosim/rtl_options.o $(RTL_LINK) $(MODEL_LIB) | $(PROGRAM_SCRIPTS)
	@echo "  LINK    $@"
	$(Q)$(CXX) $(filter %.o,$^) $(filter-out $(VERILATED_LIB),$(filter %.a,$^)) $(VERILATED_LIB) $(LDFLAGS_ALL) \
	    $(PLUGIN_LDFLAGS) $(LDLIBS_MODEL) $(RTL_LDLIBS) -o $@

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# --- unit tests of the model: every tb/<place>/*_test.c that is not a block's -----------------------------------------
UNIT_SRC := $(filter-out $(BLOCK_TEST_SRC) $(wildcard tb/cosim/*_test.c),$(sort $(wildcard tb/*/*_test.c)))
UNIT_BIN := $(UNIT_SRC:tb/%.c=$(BUILD)/unit/%)
# Long tests of scripts run in `make check`. No change of the model or of a block makes those of capture fail, of which
# capture_constants_test.py and capture_functions_test.py are in `make unit`; the others a change of a key, an option or a claim may.
CHECK_TOOL_TESTS := $(addprefix tb/scripts/,area_test.py capture_api_test.py capture_calls_test.py capture_children_test.py \
    capture_groups_test.py capture_libcu_test.py capture_matrices_test.py capture_opencl_test.py \
    capture_options_test.py capture_ptx_test.py capture_ptxas_test.py capture_refused_test.py capture_test.py capture_waits_test.py \
    formal_test.py install_test.py new_block_test.py page_test.py power_test.py repro_figures_test.py repro_numbers_test.py \
    repro_test.py silicon_test.py slurm_test.py)
# Tests that run the model for a long time are in `make unit-long`.
LONG_SCRIPT_TESTS := tb/scripts/experiments_test.py tb/scripts/silicon_run_test.py
SCRIPT_TESTS := $(filter-out $(CHECK_TOOL_TESTS) $(LONG_SCRIPT_TESTS),$(sort $(wildcard tb/scripts/*_test.py)))
# Those that run the built programs of the model, for sanitizers and coverage. The tests of installing and of new blocks make builds
# of their own.
MODEL_SCRIPT_TESTS := $(shell grep -lE 'WARPMEM_BUILD|import BUILD|import .*TOOL|from capture_house' $(SCRIPT_TESTS) $(LONG_SCRIPT_TESTS) \
    $(addprefix tb/scripts/,$(filter capture_% slurm_%,$(notdir $(CHECK_TOOL_TESTS)))))

$(BUILD)/unit/%: tb/%.c $(UNIT_MAIN) $(MODEL_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(patsubst -O3,-O1,$(CFLAGS_ALL)) -I. -Itb $< $(UNIT_MAIN) $(MODEL_LIB) $(LDFLAGS_ALL) $(LDLIBS_MODEL) -lcmocka -o $@

-include $(UNIT_BIN:%=%.d)

.PHONY: unit
unit: $(UNIT_BIN) $(addprefix $(BUILD)/,warpmem wavediff dramcheck tb/cli/warpmem-faulty) ## unit tests of the C model
	$(Q)WARPMEM_BUILD=$(BUILD) scripts/run_tests.sh $(BUILD)/unit-logs $(UNIT_BIN) $(SCRIPT_TESTS)

# Tests with long parts: tb/base/long_test.h.
LONG_TESTS := $(addprefix $(BUILD)/unit/,$(patsubst tb/%.c,%,$(shell grep -l is_long_test /dev/null $(UNIT_SRC))))
.PHONY: unit-long
unit-long: $(LONG_TESTS) $(BUILD)/warpmem $(BUILD)/tb/cli/warpmem-faulty ## long unit tests: all workloads, small sizes
	$(Q)WARPMEM_LONG_TEST=1 WARPMEM_BUILD=$(BUILD) scripts/run_tests.sh $(BUILD)/unit-long-logs $(LONG_TESTS) $(LONG_SCRIPT_TESTS)

.PHONY: tool-tests
tool-tests: all ## tests of the scripts behind make: area, mutate ...
	$(Q)WARPMEM_BUILD=$(BUILD) scripts/run_tests.sh $(BUILD)/unit-logs $(CHECK_TOOL_TESTS)

# --- the kernels that other simulators are compared on, taken through import ------------------------------------------
$(BUILD)/peer_traces: tb/trace/peer_traces.c $(MODEL_LIB)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb $< $(MODEL_LIB) $(LDFLAGS_ALL) $(LDLIBS_MODEL) -o $@

-include $(BUILD)/peer_traces.d

.PHONY: peer-traces
peer-traces: $(BUILD)/peer_traces $(BUILD)/warpmem ## text traces of those kernels, imported into BUILD/peer
	$(Q)scripts/peer_traces.sh $(BUILD)

$(BUILD)/dram_streams: tb/peer/dram_streams.c $(MODEL_LIB)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb $< $(MODEL_LIB) $(LDFLAGS_ALL) $(LDLIBS_MODEL) -lcmocka -o $@

-include $(BUILD)/dram_streams.d

.PHONY: peer-dram
peer-dram: $(BUILD)/dram_streams ## DRAM streams beside a DRAMsim3 that you built [PEER=its folder]
	$(Q)CXX='$(CXX)' scripts/peer_dram.sh '$(BUILD)' '$(PEER)'

include scripts/rules.mk
include scripts/install/rules.mk

clean: ## remove what was built
	rm -rf $(BUILD)

versions: ## tools wanted and found
	$(Q)scripts/versions.sh

help: ## this list
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | LC_ALL=C sort -u | \
	    awk -F '\t' '{printf "  make %-19s %s\n", $$1, $$2}'
