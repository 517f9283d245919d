# SPDX-License-Identifier: Apache-2.0
# Goals for users: the demonstration, the tests, the measurements.

.PHONY: demo test check bench bench-peer capture-agree capture-speed capture-tried bench-gate lint determinism determinism-long reference rtl-loop rtl-loop-long replay replay-long repro experiments
demo: $(BUILD)/warpmem $(BUILD)/rtl/l1/mrpb/warpmem-rtl ## ATAX with and without MRPB, then MRPB's Verilog in lockstep, and a picture
	$(Q)scripts/demo.sh $(BUILD)

# The goals that fail fastest come first.
TEST_GOALS := versions lint lint-rtl all unit cosim-test check-ports block-tests-some rtl-loop replay formal-some \
    determinism bench-gate
CHECK_GOALS := unit-long rtl-loop-long replay-long lint-rtl-long tool-tests block-tests lockstep-drawn points point-mutants determinism-long mutants \
    formal formal-long formal-cover formal-mutants sanitize area area-fpga power coverage mutate fuzz

# Goals run one after another, so that their lines stay together; each uses all cores.
one_after_another = $(Q)times=; for goal in $1; do echo "== make $$goal"; begun=$$(date +%s); \
    $(MAKE) --no-print-directory -j$(JOBS) $$goal || { echo "FAILED: make $$goal" >&2; exit 1; }; \
    times="$$times$$(printf '%6d s  %s' $$(($$(date +%s) - begun)) $$goal)\n"; done; printf "$${times}all passed\n"

test: ## what must pass before a commit: lint, unit tests, lockstep, RTL in the loop, proofs, determinism
	$(call one_after_another,$(TEST_GOALS))

check: ## the long ones too: all mutants and proofs, sanitizers, fuzzing, coverage, area, mutants by the hundred
	$(call one_after_another,$(TEST_GOALS) $(CHECK_GOALS))

lint: ## format, line length, licence lines, direction of includes, names of functions, lists of points
	$(Q)scripts/lint.sh
	$(Q)scripts/lint_names.py
	$(Q)scripts/points.py --ends

# Tests of the command have parts that need Verilog in it; `make unit` runs them with warpmem alone.
RTL_CLI_TESTS := $(addprefix $(BUILD)/unit/cli/,bad_input_test cli_test)

# The tests of its blocks replay a recorded stimulus.
RTL_LOOP_PROGRAMS := $(addprefix $(BUILD)/,warpmem warpmem-rtl $(patsubst %.tests,%_test,$(shell grep -lE '^[^\#]*[ ,]record@' tb/*/*.tests)))

rtl-loop: $(RTL_LOOP_PROGRAMS) $(RTL_CLI_TESTS) ## the Verilog in the C block's place: the same statistics, byte for byte
	$(Q)for t in $(RTL_CLI_TESTS); do $$t $(BUILD)/warpmem-rtl >$$t.rtl.log 2>&1 || { cat $$t.rtl.log >&2; exit 1; }; \
	    echo "  PASS    $${t##*/} with warpmem-rtl"; done
	$(Q)JOBS=$(JOBS) scripts/rtl_loop.sh $(BUILD)
rtl-loop-long: $(RTL_LOOP_PROGRAMS) ## its long runs
	$(Q)JOBS=$(JOBS) scripts/rtl_loop.sh $(BUILD) long_runs

replay: $(BUILD)/warpmem ## rtl/top/memory_channel.v without C: recorded requests give the recorded commands, and reads their data
	$(Q)scripts/replay.sh $(BUILD)
replay-long: $(BUILD)/warpmem ## whole runs with Verilator, and planted errors
	$(Q)scripts/replay.sh $(BUILD) long_replays
	$(Q)scripts/replay.sh $(BUILD) planted

determinism: $(BUILD)/warpmem ## the same bytes from gcc and from clang -O1
	$(Q)JOBS=$(JOBS) scripts/determinism.sh --some $(BUILD) built clang:-O1
determinism-long: ## the same bytes from gcc and clang, -O0 and -O3
	$(Q)JOBS=$(JOBS) scripts/determinism.sh $(BUILD) gcc:-O0 gcc:-O3 clang:-O0 clang:-O3

reference: $(BUILD)/warpmem ## docs/reference: pages of all keys, statistics, schemes and presets
	$(Q)scripts/reference.py --build '$(BUILD)'

bench: $(BUILD)/warpmem ## speed, and host instructions an L1 access
	$(Q)scripts/bench.sh $(BUILD)

bench-peer: peer-traces ## the peer's kernels on gtx480, beside the peer's time
	$(Q)scripts/bench_peer.py $(BUILD)

capture-speed: $(BUILD)/warpmem $(CAPTURE_TOOLS) ## speed of warpmem capture, against its goals [RUNS=]
	$(Q)scripts/capture_speed.py $(BUILD)

capture-agree: $(BUILD)/warpmem $(CAPTURE_TOOLS) ## captured kernels against the built-in workloads that do the same [SIZE= NAME= TSV=]
	$(Q)SIZE='$(SIZE)' TSV='$(TSV)' scripts/capture_agree.py '$(BUILD)' $(NAME)

capture-tried: $(BUILD)/warpmem $(CAPTURE_TOOLS) ## captures each CUDA or OpenCL program below a folder, a line each [DIR= OUT= TIMEOUT=]
	$(Q)OUT='$(OUT)' scripts/capture_tried.py '$(DIR)' $(BUILD)

bench-gate: $(BUILD)/warpmem ## host instructions an L1 access against scripts/bench_limits.txt
	$(Q)scripts/bench.sh --gate $(BUILD)

# PAPER= CLAIM= or FIGURE= (default: all in data/)  SIZE=tiny|small|paper  JOBS=  SEED=  DRY=1: only list the runs
# REPRO_DIR=: folder of results (default BUILD/repro)  LAUNCH='qrsh -cwd -b y': prefix of each run's command
# ENGINE=slurm: runs are tasks of Slurm (docs/cluster.md).
# Results are cached, so an interrupted `make repro` continues.
repro: $(BUILD)/warpmem ## the papers' claims and figures beside ours [PAPER= CLAIM= FIGURE= SIZE= JOBS= SEED= SET= DRY=1 REPRO_DIR= LAUNCH= ENGINE=slurm]
	$(Q)scripts/tool repro --build '$(BUILD)' $(if $(PAPER),--paper '$(PAPER)') $(if $(CLAIM),--claim \
	    '$(CLAIM)') $(if $(FIGURE),--figure '$(FIGURE)') $(if $(SIZE),--size '$(SIZE)') $(if $(JOBS),--jobs '$(JOBS)') \
	    $(if $(SEED),--seed '$(SEED)') $(if $(REPRO_DIR),--dir '$(REPRO_DIR)') $(if $(LAUNCH),--launch "$(LAUNCH)") $(if $(ENGINE),--engine '$(ENGINE)') \
	    $(patsubst %,--set '%',$(SET)) $(if $(DRY),--dry)

# SUITES=FOLDER: the programs (docs/silicon.md)  TABLE=FILE: a GPU's counters  PRESET=  SET=KEY=VALUE  ONLY=A,B  JOBS=  PTXAS=nvcc
.PHONY: silicon silicon-micro
silicon: $(BUILD)/warpmem $(CAPTURE_TOOLS) ## a machine against a real GPU's counters, kernel by kernel [SUITES= TABLE= PRESET= SET= ONLY= JOBS= PTXAS=]
	$(Q)scripts/tool silicon --build '$(BUILD)' --suites '$(SUITES)' --jobs '$(JOBS)' $(if $(TABLE),--table '$(TABLE)') $(if $(PRESET),--preset \
	    '$(PRESET)') $(if $(ONLY),--only '$(ONLY)') $(if $(PTXAS),--ptxas '$(PTXAS)') $(patsubst %,--set '%',$(SET))

silicon-micro: $(BUILD)/warpmem $(CAPTURE_TOOLS) ## microbenchmarks on the new GPUs' presets beside published measurements [PRESETS=v100,a100,h100 ONLY= JOBS=]
	$(Q)scripts/tool silicon.micro --build '$(BUILD)' --jobs '$(JOBS)' $(if $(PRESETS),--presets '$(PRESETS)') $(if $(ONLY),--only '$(ONLY)')

experiments: $(BUILD)/warpmem ## what bounds MeDiC, MDB, OWL and DAWS on their machines, beside the papers' figures [SIZE= SEED=]
	$(Q)for e in medic_machine mdb_machine owl_machine daws_machine; do \
	    echo "== $$e"; scripts/tool experiments.$$e --build '$(BUILD)' $(if $(SIZE),--size '$(SIZE)') \
	        $(if $(SEED),--seed '$(SEED)') || exit; done

.PHONY: evidence
evidence: ## measures the blocks: data/evidence.tsv and EVIDENCE.md [BLOCK=] [LIBERTY= LIBERTY_SLOW= LIBERTY_FAST=: cells of 45 nm]
	$(Q)scripts/evidence.py --build '$(BUILD)' --jobs '$(JOBS)' $(CHOSEN_BLOCK) $(if $(LIBERTY),--liberty '$(LIBERTY)') \
	    $(if $(LIBERTY_SLOW),--slow '$(LIBERTY_SLOW)') $(if $(LIBERTY_FAST),--fast '$(LIBERTY_FAST)')

# Programs to capture are built with the plain build's compiler and runtime; what a build in BUILD/% checks or counts is `warpmem` itself.
CAPTURE_TOOLS_OF = $(Q)mkdir -p $(BUILD)/$(1) && for tool in warpmem-cc warpmem-opencl; do ln -sfn ../$$tool $(BUILD)/$(1)/$$tool; done

.PHONY: sanitize
sanitize: $(CAPTURE_TOOLS) ## unit tests under ASan and UBSan
	$(call CAPTURE_TOOLS_OF,sanitize)
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize SANITIZE=1 OPT=-O1 SCRIPT_TESTS='$(MODEL_SCRIPT_TESTS)' unit
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize SANITIZE=1 OPT=-O1 LONG_SCRIPT_TESTS= unit-long

# A second build of the programs, with the counters of gcc and Verilator, in its own folder. With -O1 gcc does not count a line that
# it folds into another, such as a `return` of a constant: a tenth of all lines, among them those that refuse an input. With gnu11 it
# keeps the counts of a program that calls exec().
# gcov counts some branches below 0 where programs ran side by side; only lines are judged.
.PHONY: coverage coverage-runs $(BLOCKS:%=coverage-of-%)
coverage: $(CAPTURE_TOOLS) ## of Verilog and C over the tests; below 95 % fails; pages in BUILD/coverage/html [BLOCK=: its Verilog alone]
	$(call CAPTURE_TOOLS_OF,coverage)
	$(Q)rm -rf $(BUILD)/coverage/lockstep && mkdir -p $(BUILD)/coverage/obj && find $(BUILD)/coverage/obj -name '*.gcda' -delete
	$(Q)WARPMEM_LONG_TEST=1 $(MAKE) --no-print-directory BUILD=$(BUILD)/coverage OPT=-O0 CXXFLAGS_RTL='-std=c++17 -O0' RTL_COVERAGE=1 \
	    CFLAGS='-std=gnu11 --coverage -g0' LDFLAGS=--coverage SCRIPT_TESTS='$(MODEL_SCRIPT_TESTS)' coverage-runs
ifeq ($(BLOCK),)
	$(Q)mkdir -p $(BUILD)/coverage/html && gcovr --gcov-ignore-parse-errors --root . --object-directory $(BUILD)/coverage/obj -j $(JOBS) --filter cmodel/ \
	    --filter cosim/rtl_options.c --json-summary $(BUILD)/coverage/model.json --html-details $(BUILD)/coverage/html/index.html \
	    $(BUILD)/coverage/obj
endif
	$(Q)scripts/coverage.py --build '$(BUILD)/coverage' $(if $(BLOCK),,--model '$(BUILD)/coverage/model.json') $(CHOSEN)
coverage-runs: $(CHOSEN:%=coverage-of-%) $(if $(BLOCK),,unit cosim-test rtl-loop rtl-loop-long)
$(BLOCKS:%=coverage-of-%): coverage-of-%: $(BUILD)/tb/%_test
	$(Q)mkdir -p $(dir $(BUILD)/lockstep/$*) && $< --unit >$<.txt && for set in $$(cut -d' ' -f1 $(BUILD)/rtl/$*/sets); do \
	    $< --lockstep --set $$set --coverage $(BUILD)/lockstep/$*.$$set.dat --mismatch-dir $(BUILD)/mismatch || exit 1; done
