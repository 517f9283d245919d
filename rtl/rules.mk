# SPDX-License-Identifier: Apache-2.0
# Lint, proofs, area and clock of the Verilog. From the top Makefile: BUILD, Q, JOBS; from tb/rules.mk, read later: BLOCKS.
# BLOCK=place/block limits each of them to one block.

.PHONY: lint-rtl lint-rtl-long formal-some formal formal-long formal-cover formal-mutants
# $1: more for the script
lint_rtl = printf '%s\n' $(SLOWEST_FIRST) $(filter-out $(SLOWEST_FIRST),$(CHOSEN)) $(if $(BLOCK),,$(TOPS)) | xargs -P $(JOBS) -I{} scripts/lint_rtl.sh {} $1
lint-rtl: ## Verilog: verilator, iverilog, yosys and house rules, every module and parameter set [BLOCK=]
	$(Q)$(foreach f,$(filter-out $(BLOCKS:%=rtl/%.v) rtl/top/%,$(wildcard rtl/*/*.v)),echo "lint-rtl: $f: no block" >&2; exit 1;)
	$(Q)$(call lint_rtl)
lint-rtl-long: ## the same tools on the upper ends of all ranges together [BLOCK=]
	$(Q)$(call lint_rtl,max)

# Cached proofs do not run again; SECONDS limits the processor time of each solver.
prove = scripts/tool formal --build '$(BUILD)' --jobs '$(JOBS)' $(CHOSEN_BLOCK) --seconds
CHOSEN_BLOCK = $(if $(BLOCK),--block '$(BLOCK)')
formal-some: ## proofs about the Verilog that take seconds, for every day [BLOCK=]
	$(Q)$(prove) 120 --when test
formal: ## these and the proofs that planted errors need; tables and waves in BUILD/formal [BLOCK=]
	$(Q)$(prove) 120 --when formal
formal-long: ## proofs that take minutes [BLOCK=]
	$(Q)$(prove) 900 --when check
formal-cover: ## typical waves of each block, BUILD/formal/cover/PLACE_BLOCK.fst [BLOCK=]
	$(Q)$(prove) 120 --covers
formal-mutants: ## planted errors, each of which must give the proofs a counterexample [BLOCK=]
	$(Q)$(prove) 120 --mutants

.PHONY: area area-fpga
area: ## cells, area, clock of the blocks [BLOCK=place/name[:KEY=VALUE,...]] [LIBERTY= LIBERTY_SLOW= LIBERTY_FAST= NODE= CACTI= SPEED=1 GHZ=]
	$(Q)scripts/tool area --build $(BUILD) $(if $(LIBERTY),--liberty '$(LIBERTY)') \
	    $(if $(LIBERTY_SLOW),--slow '$(LIBERTY_SLOW)') $(if $(LIBERTY_FAST),--fast '$(LIBERTY_FAST)') \
	    $(if $(NODE),--node '$(NODE)') $(if $(CACTI),--cacti '$(CACTI)') $(if $(SPEED),--speed) $(if $(GHZ),--ghz '$(GHZ)') \
	    $(if $(AREA_BLOCK),--block '$(AREA_BLOCK)')

# This goal is separate, because it depends on no library or node, and takes minutes where area takes one.
area-fpga: ## LUTs, flip-flops, RAMs of the blocks on ECP5, Xilinx 7, iCE40 [BLOCK=place/name[:KEY=VALUE,...]] [FAMILY= JOBS=]
	$(Q)scripts/tool area.fpga --build '$(BUILD)' $(if $(AREA_BLOCK),--block '$(AREA_BLOCK)') \
	    $(if $(FAMILY),--family '$(FAMILY)') --jobs '$(JOBS)'

.PHONY: power
power: $(BUILD)/warpmem $(BUILD)/warpmem-rtl $(COSIM_LIB) ## mW and pJ a request of the blocks in a run [BLOCK=] [LIBERTY= NODE=]
	$(RUNS_MAKE)$(Q)scripts/tool power --build '$(BUILD)' $(if $(LIBERTY),--liberty '$(LIBERTY)') $(if $(NODE),--node '$(NODE)') \
	    $(CHOSEN_BLOCK) --jobs '$(JOBS)'
