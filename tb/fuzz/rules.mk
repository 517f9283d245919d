# SPDX-License-Identifier: Apache-2.0
# Fuzzing: `make fuzz`, and the kept inputs as a unit test. libFuzzer and not AFL++: it is part of clang, a prerequisite anyway;
# it runs in the process (AFL++ starts one for each input, or needs its own loop around the same function); and it has options
# that bound memory and time of one input.
# From the top Makefile: BUILD, Q, CC, CFLAGS_ALL, LDFLAGS_ALL, LDLIBS_MODEL, MODEL_LIB; from tb/rules.mk: FST_LIB, FST_INCLUDE.

FUZZ_NAMES := config result words wtr import text_trace dramlog stimulus waves command machine

# Objects of the targets besides the model: the reader of recorded stimulus, the command's options, wavediff as a function.
FUZZ_OBJ := $(patsubst %,$(BUILD)/obj/tb/fuzz/%.o,fuzz promises jail $(FUZZ_NAMES)) \
    $(patsubst %,$(BUILD)/obj/cosim/%.o,record port_values socket pair mismatch wave fst_file rtl_block) \
    $(BUILD)/obj/cosim/rtl_options.o $(BUILD)/obj/fuzz/wavediff.o $(BUILD)/obj/fuzz/wave_stream.o

$(BUILD)/obj/fuzz/%.o: cmodel/cli/wave/%.c tb/fuzz/waves_hooks.h $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -D_GNU_SOURCE -I. -Itb -isystem $(FST_INCLUDE) -include tb/fuzz/waves_hooks.h -c $< -o $@

# The functions that tb/fuzz/jail.c and waves.c wrap.

FUZZ_WRAPS := $(addprefix -Wl$(comma)--wrap=,fopen fopen64 mkstemp mkstemp64 unlink remove rmdir rename mkdir fork exit \
    signals_catch gpu_create workload_find)
FUZZ_LDLIBS := $(LDLIBS_MODEL) $(RTL_LDLIBS) -lcmocka

# --- every day: each kept input once ---------------------------------------------------------------------------------
$(BUILD)/unit/fuzz/corpus_test: $(BUILD)/obj/tb/fuzz/corpus_test.o $(UNIT_MAIN) $(FUZZ_OBJ) $(MODEL_LIB) $(FST_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $^ $(LDFLAGS_ALL) $(FUZZ_WRAPS) $(FUZZ_LDLIBS) -o $@

# --- libFuzzer -------------------------------------------------------------------------------------------------------
# A separate build, by clang, with sanitizers and counters of edges.
FUZZ_BUILD := $(BUILD)/fuzz
FUZZ_SECONDS ?= 60

$(BUILD)/obj/fuzz/main_%.o: tb/fuzz/fuzz_main.c $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Itb -DFUZZ_TARGET=$* -c $< -o $@
$(FUZZ_NAMES:%=$(BUILD)/fuzz-%): $(BUILD)/fuzz-%: $(BUILD)/obj/fuzz/main_%.o $(FUZZ_OBJ) $(MODEL_LIB) $(FST_LIB)
	@echo "  LINK    $@"
	$(Q)$(CC) $^ -fsanitize=fuzzer $(LDFLAGS_ALL) $(FUZZ_WRAPS) $(FUZZ_LDLIBS) -o $@

# The machine makes many comparisons, none of them with an input's bytes; tracing each would cost two thirds of the time of a run.
ifneq ($(findstring fuzzer-no-link,$(CFLAGS)),)
FUZZ_UNNOTED := base common core gpu issue l1 l2 noc dram workloads
$(filter $(FUZZ_UNNOTED:%=$(BUILD)/obj/cmodel/%/%),$(MODEL_OBJ)): CFLAGS_ALL += -fno-sanitize-coverage=trace-cmp
endif

.PHONY: fuzz-programs fuzz
fuzz-programs: $(FUZZ_NAMES:%=$(BUILD)/fuzz-%)
	@:

# TARGET=wtr: that alone  FUZZ_SECONDS=600: of each  JOBS=1: at once (default: all cores)
fuzz: ## bytes by libFuzzer into every reader, and random machines [TARGET= FUZZ_SECONDS= JOBS=]
	$(Q)$(MAKE) --no-print-directory BUILD=$(FUZZ_BUILD) CC=clang SANITIZE=1 OPT=-O1 \
	    CFLAGS=-fsanitize=fuzzer-no-link fuzz-programs
	$(Q)printf '%s\n' $(or $(TARGET),$(FUZZ_NAMES)) | xargs -P $(JOBS) -I{} tb/fuzz/fuzz.sh '$(FUZZ_BUILD)' '$(FUZZ_SECONDS)' {}
