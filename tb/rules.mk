# SPDX-License-Identifier: Apache-2.0
# Checks that C and Verilog are equal: the Verilated blocks, the framework of cosim/, lockstep, waves, mutants. From the top
# Makefile: BUILD, Q, V, CC, CFLAGS_ALL, LDFLAGS_ALL, MODEL_LIB.

# A new block is a row of this table. scripts/new_block.py has the list of its files.
BLOCK_TABLE := cmodel/cli/blocks.h
# A word a row: l1/mrpb:SET..., the sets that machines have.
BLOCK_ROWS := $(shell awk -F '"' '/^    B/ {split($$1, word, /[^a-z0-9_A-Z]+/); gsub(/ /, ":", $$2); \
    print word[3] "/" word[4] ":" $$2}' $(BLOCK_TABLE))
BLOCKS := $(foreach r,$(BLOCK_ROWS),$(firstword $(subst :, ,$r)))
machine_sets_of = $(wordlist 2,99,$(subst :, ,$(filter $1 $1:%,$(BLOCK_ROWS))))
MACHINE_BLOCKS := $(foreach b,$(BLOCKS),$(if $(call machine_sets_of,$b),$b))
# The framework's own test block lives beside it.
OWN_BLOCKS := cosim/sample

# For the top Makefile: tests that are not plain unit tests, the main() of the plain ones, and the parts that warpmem-rtl links
# besides its main and MODEL_LIB.
BLOCK_TEST_SRC := $(BLOCKS:%=tb/%_test.c)
UNIT_MAIN := $(BUILD)/obj/tb/base/unit_tests.o
RTL_LINK = $(BUILD)/obj/rtl_table.o $(COSIM_LIB) $(MACHINE_BLOCKS:%=$(BUILD)/rtl/%/machine.a) $(VERILATED_LIB)
RTL_LDLIBS := -lz -lpthread

# -O2 takes 1.4 times as long to compile, and its programs are no faster.
CXXFLAGS_RTL ?= -std=c++17 -O1 -Wall -Wextra -Werror
RTL_COVERAGE ?=
FST_INCLUDE = $(VERILATOR_INCLUDE)/gtkwave
VERILATOR_INCLUDE = $(shell verilator --getenv VERILATOR_ROOT)/include

# Verilator's headers, which every model includes, precompiled once, because they take longer than a small model.
VERILATED_H := $(BUILD)/rtl/headers.h
VERILATED_DEFINES = -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 -DVM_SC=0 -DVM_COVERAGE=$(if $(RTL_COVERAGE),1,0)
$(VERILATED_H).gch: cosim/headers.hpp $(BUILD)/verilog.flags
	@mkdir -p $(@D)
	@echo "  CXX     headers of Verilator"
	$(Q)cp $< $(VERILATED_H)
	$(Q)$(CXX) $(CXXFLAGS_RTL) -isystem $(VERILATOR_INCLUDE) -isystem $(VERILATOR_INCLUDE)/vltstd $(VERILATED_DEFINES) \
	    -x c++-header $(VERILATED_H) -o $@

# --- Verilated blocks: build/rtl/<place>/<block>/ ---------------------------------------------------------------------
# models.a, table.inc: all parameter sets, for the block's test.  machine.a, .inc: those that machines have, for warpmem-rtl.
# first.a, .inc: the first of these, for the waves of one block.
verilog_of = $(firstword $(wildcard rtl/$1.v tb/$1.v))
ports_of = $(firstword $(wildcard cmodel/$1_ports.h tb/$1_ports.h))
library_of = $(filter-out $(call verilog_of,$1),$(sort $(wildcard rtl/common/*.v $(dir rtl/$1)*.v)))

# Further sources of a block's test besides tb/<block>_test.c: tb/<block>_*.c.
test_parts_of = $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out tb/$1_test.c,$(sort $(wildcard tb/$1_*.c))))

# $1 block, $2 goal, $3 more
model_make = +$(Q)$(MAKE) --no-print-directory -f cosim/model.mk $2 BLOCK=$1 VERILOG=$(call verilog_of,$1) \
    LIBRARY="$(call library_of,$1)" PORTS=$(call ports_of,$1) OUT=$(BUILD)/rtl/$1 ONLY= ARCHIVE=models TABLE=table \
    HEADERS=$(VERILATED_H) COVERAGE=$(RTL_COVERAGE) V=$(V) CC="$(CC)" CXX="$(CXX)" CXXFLAGS_RTL="$(CXXFLAGS_RTL)" $3
model_sources_of = $(call verilog_of,$1) $(call library_of,$1) $(wildcard rtl/common/*.vh) $(call ports_of,$1) $(VERILATED_H).gch cosim/model.mk \
    cosim/describe.c cosim/glue.cpp cosim/rtl_block.h cmodel/base/block.h cmodel/base/ports.h \
    cmodel/base/block_define.h scripts/check_ports.sh

# All three build sets in one folder, so they run one after another.
define block_rules
$(BUILD)/rtl/$1/models.a: $(call model_sources_of,$1) $(if $(call machine_sets_of,$1),$(BUILD)/rtl/$1/machine.a)
	$$(call model_make,$1,models)
	@touch $$@
$(BUILD)/rtl/$1/table.inc: $(BUILD)/rtl/$1/models.a
	@touch $$@

$(BUILD)/obj/tb/$1_table.o: $(BUILD)/rtl/$1/table.inc cosim/rtl_table.c $(BUILD)/model.flags
	@mkdir -p $$(@D)
	$(Q)$$(CC) $$(CFLAGS_ALL) -I. -Itb '-DRTL_TABLE="$$<"' -c cosim/rtl_table.c -o $$@
endef
# $1 block, $2 its sets that machines have
define machine_rules
$(BUILD)/rtl/$1/first.a: $(call model_sources_of,$1) $(BLOCK_TABLE)
	$$(call model_make,$1,models,ARCHIVE=first TABLE=first ONLY=$(firstword $2))
	@touch $$@
$(BUILD)/rtl/$1/machine.a: $(call model_sources_of,$1) $(BUILD)/rtl/$1/first.a
	$$(call model_make,$1,models,ARCHIVE=machine TABLE=machine ONLY="$2")
	@touch $$@
$(BUILD)/rtl/$1/first.inc: $(BUILD)/rtl/$1/first.a
	@touch $$@
$(BUILD)/rtl/$1/machine.inc: $(BUILD)/rtl/$1/machine.a
	@touch $$@

$(BUILD)/obj/tb/$1_first.o: $(BUILD)/rtl/$1/first.inc cosim/rtl_table.c $(BUILD)/model.flags
	@mkdir -p $$(@D)
	$(Q)$$(CC) $$(CFLAGS_ALL) -I. -Itb '-DRTL_TABLE="$$<"' -c cosim/rtl_table.c -o $$@
endef
$(foreach b,$(BLOCKS) $(OWN_BLOCKS),$(eval $(call block_rules,$b)))
$(foreach b,$(MACHINE_BLOCKS),$(eval $(call machine_rules,$b,$(call machine_sets_of,$b))))

$(BUILD)/rtl/table.inc: $(MACHINE_BLOCKS:%=$(BUILD)/rtl/%/machine.inc)
	$(Q)cat $^ >$@
$(BUILD)/obj/rtl_table.o: $(BUILD)/rtl/table.inc cosim/rtl_table.c $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb '-DRTL_TABLE="$<"' -c cosim/rtl_table.c -o $@

# Verilator's own run time, once for all blocks.
VERILATED_OBJ := $(addprefix $(BUILD)/obj/verilated/,verilated.o verilated_fst_c.o verilated_cov.o verilated_threads.o)
VERILATED_LIB := $(BUILD)/libverilated.a
$(VERILATED_OBJ): $(BUILD)/obj/verilated/%.o:
	@mkdir -p $(@D)
	@echo "  CXX     $*"
	$(Q)$(CXX) -std=c++17 -O2 -w -I$(VERILATOR_INCLUDE) -I$(VERILATOR_INCLUDE)/vltstd -DVM_TRACE=1 -DVM_TRACE_FST=1 \
	    -DVM_COVERAGE=1 -DVM_SC=0 -c $(VERILATOR_INCLUDE)/$*.cpp -o $@
$(VERILATED_LIB): $(VERILATED_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# GTKWave's FST reader and writer, as Verilator ships them; for programs without Verilated blocks.
FST_OBJ := $(addprefix $(BUILD)/obj/fst/,fstapi.o lz4.o fastlz.o)
FST_LIB := $(BUILD)/libfst.a
$(FST_OBJ): $(BUILD)/obj/fst/%.o:
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -w -I$(FST_INCLUDE) '-DFST_CONFIG_INCLUDE="fst_config.h"' -c $(FST_INCLUDE)/$*.c -o $@
$(FST_LIB): $(FST_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# --- the framework ---------------------------------------------------------------------------------------------------
COSIM_SRC := $(addprefix cosim/,fst_file.c heap.c lockstep.c mismatch.c pair.c port_values.c record.c rtl_block.c socket.c wave.c) \
    tb/cosim/block_test_main.c tb/base/unit_tests.c
COSIM_LIB := $(BUILD)/libcosim.a
# Programs with lockstep intercept the allocations of a C block.
HEAP_WRAP := -Wl,--wrap=malloc -Wl,--wrap=calloc

$(BUILD)/obj/tb/%.o: tb/%.c $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb -isystem $(FST_INCLUDE) -c $< -o $@
$(BUILD)/obj/cosim/%.o: cosim/%.c $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -isystem $(FST_INCLUDE) -c $< -o $@
$(COSIM_LIB): $(COSIM_SRC:%.c=$(BUILD)/obj/%.o)
	@echo "  AR      $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# The command with the Verilog of one block, at one parameter set: the first of its row.
$(MACHINE_BLOCKS:%=$(BUILD)/rtl/%/warpmem-rtl): $(BUILD)/rtl/%/warpmem-rtl: $(BUILD)/obj/cmodel/cli/main.o \
    $(BUILD)/obj/cosim/rtl_options.o $(BUILD)/obj/tb/%_first.o $(COSIM_LIB) $(BUILD)/rtl/%/first.a $(MODEL_LIB) \
    $(VERILATED_LIB)
	@echo "  LINK    $@"
	$(Q)$(CXX) $(filter %.o,$^) $(filter %.a,$^) $(LDFLAGS_ALL) $(PLUGIN_LDFLAGS) $(LDLIBS_MODEL) $(RTL_LDLIBS) -o $@

# --- a block's tests: build/tb/<place>/<block>_test ------------------------------------------------------------------
$(BLOCKS:%=$(BUILD)/tb/%_test): $(BUILD)/tb/%_test: $(BUILD)/obj/tb/%_test.o $(BUILD)/obj/tb/%_table.o $(COSIM_LIB) \
    $(BUILD)/rtl/%/models.a $(MODEL_LIB) $(VERILATED_LIB)
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	$(Q)$(CXX) $(filter %.o,$^) $(filter %.a,$^) $(HEAP_WRAP) $(LDFLAGS_ALL) $(RTL_LDLIBS) -lcmocka -o $@

define test_parts_rule
$(BUILD)/tb/$1_test: $(call test_parts_of,$1)
endef
$(foreach b,$(BLOCKS),$(eval $(call test_parts_rule,$b)))

# --- tests of the framework itself: build/tb/cosim/*_test ---------------------------------------------------------
COSIM_TESTS := $(patsubst tb/%.c,$(BUILD)/tb/%,$(sort $(wildcard tb/cosim/*_test.c)))
$(COSIM_TESTS): $(BUILD)/tb/cosim/%: $(BUILD)/obj/tb/cosim/%.o $(BUILD)/obj/tb/cosim/sample.o \
    $(BUILD)/obj/tb/cosim/sample_stimulus.o $(BUILD)/obj/tb/cosim/shell.o \
    $(BUILD)/obj/tb/cosim/sample_table.o $(COSIM_LIB) \
    $(BUILD)/rtl/cosim/sample/models.a $(MODEL_LIB) $(VERILATED_LIB)
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	$(Q)$(CXX) $(filter %.o,$^) $(filter %.a,$^) $(HEAP_WRAP) $(LDFLAGS_ALL) $(RTL_LDLIBS) -lcmocka -o $@

# warpmem-rtl with a planted error, for tests of the report.
$(BUILD)/tb/cosim/warpmem-broken: $(BUILD)/obj/cmodel/cli/main.o $(BUILD)/obj/cosim/rtl_options.o \
    $(BUILD)/obj/tb/cosim/broken_mrpb.o $(COSIM_LIB) $(BUILD)/rtl/l1/mrpb/machine.a $(MODEL_LIB) $(VERILATED_LIB)
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	$(Q)$(CXX) $(filter %.o,$^) $(filter %.a,$^) $(LDFLAGS_ALL) $(LDLIBS_MODEL) $(RTL_LDLIBS) -o $@

# Only these programs use GTKWave's reader, so it is not in MODEL_LIB.
WAVEDIFF_OBJ := $(addprefix $(BUILD)/obj/cmodel/cli/wave/,wavediff.o wave_stream.o)
$(BUILD)/obj/cmodel/cli/wave/wave_stream.o: CFLAGS_ALL += -isystem $(FST_INCLUDE)
$(BUILD)/wavediff: $(WAVEDIFF_OBJ) $(FST_LIB)
	@echo "  LINK    $@"
	$(Q)$(CC) $(WAVEDIFF_OBJ) $(FST_LIB) $(LDFLAGS_ALL) $(RTL_LDLIBS) -o $@
WAVEJOIN_OBJ := $(addprefix $(BUILD)/obj/,cosim/wavejoin.o cosim/fst_file.o cmodel/cli/wave/wave_stream.o)
$(BUILD)/wavejoin: $(WAVEJOIN_OBJ) $(FST_LIB)
	@echo "  LINK    $@"
	$(Q)$(CC) $(WAVEJOIN_OBJ) $(FST_LIB) $(LDFLAGS_ALL) $(RTL_LDLIBS) -o $@

# Both with failing system calls, and warpmem with a wrong model: tb/cli/faults_test.c, tb/cosim/wavediff_test.c.
FAULTY := malloc calloc realloc strdup strndup realpath fdopen open_memstream tmpfile freopen ZSTD_createCCtx ZSTD_createDCtx \
    pipe fork dup2 mkstemp rename pthread_create fread fwrite fflush fseeko fclose ferror
WRONG := core_idle l2_partition_idle network_packets_inside gpu_conserved workload_find
FAULTY_PROGRAMS := $(BUILD)/tb/cli/warpmem-faulty $(BUILD)/tb/cli/wavediff-faulty
$(BUILD)/tb/cli/warpmem-faulty: $(BUILD)/obj/cmodel/cli/main.o $(BUILD)/obj/cmodel/cli/options/no_rtl_options.o \
    $(BUILD)/obj/tb/cli/faults.o $(BUILD)/obj/tb/cli/wrong_model.o $(MODEL_LIB)
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	$(Q)$(CC) $^ $(patsubst %,-Wl$(comma)--wrap=%,$(FAULTY) $(WRONG)) $(LDFLAGS_ALL) $(LDLIBS_MODEL) -o $@
# System calls of GTKWave's reader do not fail, because its code is not ours to mend.
$(BUILD)/tb/cli/wavediff-faulty: $(WAVEDIFF_OBJ) $(BUILD)/obj/tb/cli/faults.o $(FST_LIB)
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	$(Q)$(LD) -r $(FAULTY:%=--wrap=%) $(filter %.o,$^) -o $@.o
	$(Q)$(CC) $@.o $(FST_LIB) $(LDFLAGS_ALL) $(LDLIBS_MODEL) $(RTL_LDLIBS) -o $@

# The test makes allocations fail and counts leaks.
$(BUILD)/unit/workloads/no_memory_test: LDFLAGS_ALL += $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc free)

# --- goals -----------------------------------------------------------------------------------------------------------
# BLOCK=place/block  SET=parameter set  SEED=  CYCLES=  REPLAY=recorded stimulus  FROM=first cycle of waves
BLOCK_TESTS := $(BLOCKS:%=$(BUILD)/tb/%_test)
# `make area` and `make area-fpga` take parameters after the name, and check them.
ifneq ($(filter area area-fpga,$(MAKECMDGOALS)),)
AREA_BLOCK := $(BLOCK)
override BLOCK := $(firstword $(subst :, ,$(BLOCK)))
endif
CHOSEN := $(if $(BLOCK),$(BLOCK),$(BLOCKS))
# Assemblies of blocks, which have no C: for lint, area and rtl-files.
TOPS := $(patsubst tb/%.tests,%,$(wildcard tb/top/*.tests))
ifneq ($(filter-out $(BLOCKS) $(if $(filter lint-rtl area area-fpga rtl-files,$(MAKECMDGOALS)),$(TOPS)),$(if $(filter new-block,$(MAKECMDGOALS)),,$(BLOCK))),)
$(error BLOCK=$(BLOCK): $(if $(filter $(BLOCKS),$(firstword $(subst :, ,$(BLOCK)))),parameters behind the name are for area; make points \
    BLOCK=$(firstword $(subst :, ,$(BLOCK))) POINT=NAME=VALUE$(comma)... compares at others,there is no such block; there are $(BLOCKS)))
endif
LOCKSTEP_ARGS = $(if $(SET),--set $(SET)) $(if $(SEED),--seed $(SEED)) $(if $(CYCLES),--cycles $(CYCLES)) \
    $(if $(REPLAY),--replay '$(REPLAY)') $(if $(and $(SET),$(SEED),$(CYCLES)),--exact) --mismatch-dir $(BUILD)/mismatch

.PHONY: cosim-test check-ports lockstep lockstep-drawn block-tests block-tests-some waves waves-views rtl-files mutants
cosim-test: $(COSIM_TESTS) $(BUILD)/wavediff $(BUILD)/wavejoin $(BUILD)/tb/cosim/warpmem-broken \
    $(BUILD)/tb/cli/wavediff-faulty ## tests of the lockstep framework itself
	$(Q)mkdir -p $(BUILD)/cosim-logs && WAVEDIFF=$(BUILD)/wavediff WAVEJOIN=$(BUILD)/wavejoin COSIM_TMP=$(BUILD)/cosim-logs \
	    BROKEN=$(BUILD)/tb/cosim/warpmem-broken WAVEDIFF_FAULTY=$(BUILD)/tb/cli/wavediff-faulty \
	    scripts/run_tests.sh $(BUILD)/cosim-logs $(COSIM_TESTS)

# The test of one parameter set: SET=, and for waves the first set.
ifneq ($(and $(filter waves lockstep,$(MAKECMDGOALS)),$(BLOCK)),)
ONE_SET := $(or $(SET),$(if $(and $(filter waves,$(MAKECMDGOALS)),$(if $(REPLAY),,yes)),$(firstword $(shell scripts/block_params.sh $(BLOCK)))))
endif
ifneq ($(ONE_SET),)
SETS_THERE := $(shell scripts/block_params.sh $(BLOCK) | head -n -2 | cut -d' ' -f1)
ifeq ($(filter $(ONE_SET),$(SETS_THERE)),)
$(error SET=$(ONE_SET): $(BLOCK) has no such parameter set; there are $(SETS_THERE))
endif
SET_PROGRAM := $(BUILD)/waves/$(BLOCK)/$(ONE_SET)_test
$(SET_PROGRAM): $(BUILD)/obj/tb/$(BLOCK)_test.o $(call test_parts_of,$(BLOCK)) $(COSIM_LIB) $(MODEL_LIB) $(VERILATED_LIB) \
    $(call model_sources_of,$(BLOCK))
	@mkdir -p $(@D)
	$(call model_make,$(BLOCK),models,ARCHIVE=only_$(ONE_SET) TABLE=only_$(ONE_SET) ONLY=$(ONE_SET))
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb '-DRTL_TABLE="$(BUILD)/rtl/$(BLOCK)/only_$(ONE_SET).inc"' -c cosim/rtl_table.c -o $@.o
	$(Q)$(CXX) $(filter %.o,$^) $@.o $(filter %.a,$^) $(BUILD)/rtl/$(BLOCK)/only_$(ONE_SET).a $(MODEL_LIB) $(VERILATED_LIB) \
	    $(HEAP_WRAP) $(LDFLAGS_ALL) $(RTL_LDLIBS) -lcmocka -o $@
endif

.PHONY: new-block
new-block: ## write all files of a new block, which holds one word and passes its tests: BLOCK=place/name
	$(Q)$(if $(BLOCK),,$(error make new-block: which one? BLOCK=l1/line_filter))scripts/new_block.py '$(BLOCK)'

# The comparison is a step of building a block's models.
check-ports: $(CHOSEN:%=check-ports-%) ## compare port lists with the Verilog: names, directions, widths, defaults

# The longest Verilog first, so that no core is idle while the last one runs.
SLOWEST_FIRST := $(patsubst rtl/%.v,%,$(shell ls -S $(wildcard $(CHOSEN:%=rtl/%.v))))

lockstep: $(SLOWEST_FIRST:%=lockstep-%) ## C against Verilog, all blocks or BLOCK= [SET= SEED= CYCLES= REPLAY=]
lockstep-drawn: ## the same with a random seed, which each line has
	+$(Q)$(MAKE) --no-print-directory lockstep SEED=0x$$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')
block-tests: $(SLOWEST_FIRST:%=block-test-%) ## unit tests and lockstep of all blocks, or of BLOCK=
block-tests-some: $(SLOWEST_FIRST:%=block-test-some-%) ## the same with a tenth of the cycles, for every day
mutants: $(SLOWEST_FIRST:%=mutants-%) ## plant errors in the Verilog; lockstep must find each

.PHONY: $(foreach b,$(BLOCKS),check-ports-$b lockstep-$b block-test-$b block-test-some-$b mutants-$b)
$(BLOCKS:%=check-ports-%): check-ports-%: $(BUILD)/rtl/%/models.a
	$(Q)cd $(BUILD)/rtl/$* && echo "pass  check-ports $*: $$(grep -cE '^(in|out)put' default/ports.txt) ports agree with" \
	    "$$(cut -d' ' -f1 sets | tr '\n' ' ')default"
$(BLOCKS:%=lockstep-%): lockstep-%: $(or $(SET_PROGRAM),$(BUILD)/tb/%_test)
	$(Q)$< --lockstep $(LOCKSTEP_ARGS)
# $1: the test's arguments  $2: the file of its findings
block_test = $(Q)$< $1 >$2 2>&1 || { cat $2; echo "FAILED $*"; exit 1; }; grep -E '^pass' $2; \
    echo "pass  $*  $$(grep -c '^\[       OK' $2) unit tests"
$(BLOCKS:%=block-test-%): block-test-%: $(BUILD)/tb/%_test
	$(call block_test,$(LOCKSTEP_ARGS),$<.txt)
$(BLOCKS:%=block-test-some-%): block-test-some-%: $(BUILD)/tb/%_test
	$(call block_test,$(LOCKSTEP_ARGS) $(if $(CYCLES),,--cycles 100000),$<.some.txt)

# Each mutant is a copy of the Verilog with one edit, and has its own test program.
MUTANT_CYCLES ?= 1000000
mutants_of = $(RUNS_MAKE)$(Q)MAKE_MUTANT="$(THIS_MAKE) --no-print-directory -f $(firstword \
    $(MAKEFILE_LIST)) mutant BLOCK=$1" CYCLES=$(MUTANT_CYCLES) cosim/mutants.sh tb/$1.tests mutants \
    $(call verilog_of,$1) $(BUILD)/mutants/$1 $(BUILD)/rtl/$1/sets
$(BLOCKS:%=mutants-%): mutants-%: $(BUILD)/tb/%_test
	$(call mutants_of,$*)

# A block's test with other Verilog or other parameter sets: $1 folder, $2 Verilog, $3 sets (empty: all), $4 more for model.mk.
# Its objects are among the prerequisites.
make_changed_test = $(call model_make,$(BLOCK),models,VERILOG=$2 OUT=$1/rtl ONLY=$3 CXXFLAGS_RTL="$(CHANGED_CXXFLAGS)" $4)
# Scripts that change the Verilog choose others.
CHANGED_CXXFLAGS ?= $(CXXFLAGS_RTL)
define link_changed_test
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb '-DRTL_TABLE="$1/rtl/table.inc"' -c cosim/rtl_table.c -o $1/table.o
	$(Q)$(CXX) $(filter %.o,$^) $1/table.o $(COSIM_LIB) $1/rtl/models.a $(MODEL_LIB) $(VERILATED_LIB) $(HEAP_WRAP) \
	    $(LDFLAGS_ALL) $(RTL_LDLIBS) -lcmocka -o $1/$2
endef
# With POINTS_DIR, sets are the points of its sets.h (scripts/points.py), and files that use the sets are compiled again.
POINT_OBJ = $(patsubst tb/%.c,$(POINTS_DIR)/obj/tb/%.o,$(wildcard tb/$(BLOCK)_test.c tb/$(BLOCK)_*.c)) \
    $(POINTS_DIR)/obj/cmodel/$(BLOCK)_block.o
CHANGED_TEST_OBJ = $(if $(POINTS_DIR),$(sort $(POINT_OBJ)),$(BUILD)/obj/tb/$(BLOCK)_test.o $(call test_parts_of,$(BLOCK)))
OTHER_SETS = $(if $(POINTS_DIR),SETS_H=$(POINTS_DIR)/sets.h)
ifneq ($(POINTS_DIR),)
$(POINTS_DIR)/obj/%.o: %.c $(POINTS_DIR)/sets.h $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb -include $(POINTS_DIR)/sets.h -c $< -o $@
endif

.PHONY: mutant point-test points point-mutants
point-test mutant: $(VERILATED_H).gch
mutant: $(CHANGED_TEST_OBJ) $(COSIM_LIB) $(MODEL_LIB) $(VERILATED_LIB)
	$(call make_changed_test,$(MUTANT_DIR),$(MUTANT_VERILOG),$(MUTANT_SET),$(OTHER_SETS))
	$(call link_changed_test,$(MUTANT_DIR),mutant_test)
point-test: $(CHANGED_TEST_OBJ) $(COSIM_LIB) $(MODEL_LIB) $(VERILATED_LIB)
	$(call make_changed_test,$(POINTS_DIR),$(call verilog_of,$(BLOCK)),,$(OTHER_SETS))
	$(call link_changed_test,$(POINTS_DIR),test)

points: ## lockstep at the ends of all parameter ranges and at random points [BLOCK= POINT= SEED= CYCLES= POINTS= MINUTES=]
	$(RUNS_MAKE)$(Q)scripts/points.py --build '$(BUILD)' --make '$(THIS_MAKE)' $(if $(BLOCK),--block '$(BLOCK)') $(if $(POINT),--point \
	    '$(POINT)') $(if $(SEED),--seed '$(SEED)') $(if $(CYCLES),--cycles '$(CYCLES)') $(if $(POINTS),--random '$(POINTS)') \
	    $(if $(MINUTES),--minutes '$(MINUTES)')

# Errors that show only at parameters that no set has: NAME@POINT in a block's section [point_mutants].
POINT_MUTANTS := $(patsubst tb/%.tests,%,$(shell grep -l '^\[point_mutants\]' tb/*/*.tests))
point-mutants: $(addprefix point-mutants-,$(filter $(CHOSEN),$(POINT_MUTANTS))) ## plant errors that only rare parameters show
.PHONY: $(POINT_MUTANTS:%=point-mutants-%)
$(POINT_MUTANTS:%=point-mutants-%): point-mutants-%: $(BUILD)/points/%/listed/sets.h $(COSIM_LIB) $(MODEL_LIB) \
    $(VERILATED_LIB) $(VERILATED_H).gch
	$(RUNS_MAKE)$(Q)MAKE_MUTANT="$(THIS_MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST)) mutant BLOCK=$* POINTS_DIR=$(<D)" \
	    CYCLES=$(MUTANT_CYCLES) cosim/mutants.sh tb/$*.tests point_mutants rtl/$*.v $(BUILD)/mutants/$*_points $(<D)/names
$(BUILD)/points/%/listed/sets.h: tb/%.tests cmodel/%_ports.h scripts/points.py
	$(Q)scripts/points.py --build '$(BUILD)' --block $* --header $(@D)

# Mutants by the hundred, of both sides, which lockstep, unit tests or proofs must kill. Results are cached by contents. BLOCK=
# limits it to one block; SIDE=verilog or c; MUTANTS= number of a block's Verilog; SEED= chooses among all possible.
.PHONY: mutate
mutate: $(COSIM_LIB) $(MODEL_LIB) $(VERILATED_LIB) ## mutants of Verilog and C: the score of their tests [BLOCK= SIDE= MUTANTS= SEED=]
	$(RUNS_MAKE)$(Q)scripts/tool mutate --build '$(BUILD)' $(if $(BLOCK),--block '$(BLOCK)') $(if $(SIDE),--side '$(SIDE)') \
	    $(if $(MUTANTS),--mutants '$(MUTANTS)') $(if $(SEED),--seed '$(SEED)') --jobs '$(JOBS)'

# Waves of both sides, shown; a recording chooses its set.
waves: $(or $(SET_PROGRAM),$(if $(BLOCK),$(BUILD)/tb/$(BLOCK)_test)) $(BUILD)/wavejoin ## waves of BLOCK= in lockstep [SET= SEED= FROM= CYCLES= REPLAY=]
	$(Q)PROGRAM="$<" BLOCK="$(BLOCK)" SET="$(ONE_SET)" SEED="$(SEED)" FROM="$(FROM)" CYCLES="$(CYCLES)" REPLAY="$(REPLAY)" \
	    BUILD="$(BUILD)" cosim/waves.sh
waves-views: ## rewrites waves/PLACE/BLOCK.gtkw from the port lists and the hand-written lines at the top of each [BLOCK=]
	$(Q)cosim/view.py $(if $(BLOCK),--block '$(BLOCK)')
rtl-files: ## print the Verilog files that BLOCK= consists of, for a design of your own
	$(Q)$(if $(BLOCK),,$(error make rtl-files: which block? BLOCK=l1/mrpb))scripts/rtl_files.py $(BLOCK)

# --- fuzzing --------------------------------------------------------------------------------------------------------
include tb/fuzz/rules.mk
