# SPDX-License-Identifier: Apache-2.0
# Verilates one block with each of its parameter sets. Called by tb/rules.mk; all names come from there:
#   BLOCK=l1/mrpb  VERILOG=rtl/l1/mrpb.v  LIBRARY=other Verilog it may instantiate  PORTS=cmodel/l1/mrpb_ports.h
#   OUT=build/rtl/l1/mrpb  ONLY=sets to build (empty: all)  ARCHIVE=models TABLE=table: names of the results
#   SETS_H=a header with other parameter sets than the port list's, or empty
#   HEADERS=a header that is precompiled  COVERAGE=1 or empty  V=0  CC CXX CXXFLAGS_RTL
# Goals: models (OUT/ARCHIVE.a, OUT/TABLE.inc), check-ports
Q := $(if $(filter 1,$(V)),,@)
NAME := $(notdir $(BLOCK))
LIST := $(shell echo $(NAME) | tr a-z A-Z)
GLUE := cosim/glue.cpp cosim/rtl_block.h cmodel/base/block.h cmodel/base/ports.h
INCLUDE := $(shell verilator --getenv VERILATOR_ROOT)/include

OTHER_SETS := $(if $(SETS_H),-include $(SETS_H))
# The port list has the sets, so a small program is made from it first.
DESCRIBE := $(OUT)/describe
MADE := $(shell mkdir -p $(OUT) && $(CC) -std=c11 -Wall -Wextra -Werror $(OTHER_SETS) -Icmodel -I. -Itb -DBLOCK=$(NAME) -DLIST=$(LIST) \
    '-DPORTS_H="$(BLOCK)_ports.h"' cosim/describe.c -o $(DESCRIBE) && $(DESCRIBE) sets >$(OUT)/sets && echo yes)
ifneq ($(MADE),yes)
$(error $(BLOCK): its port list cannot be used)
endif
ALL_SETS := $(shell cut -d' ' -f1 $(OUT)/sets)
SETS := $(if $(ONLY),$(ONLY),$(ALL_SETS))
flags = $(shell sed -n 's/^$1 //p' $(OUT)/sets)

VERILATOR := verilator -Irtl/common --top-module wm_$(NAME) -Wno-lint $(addprefix -v ,$(LIBRARY))
VERILATOR_CC := --cc -O3 --x-assign unique --x-initial unique --timescale 1ns/1ns --trace-fst --trace-structs \
    --trace-underscore --trace-max-array 1024 --trace-max-width 4096 $(if $(COVERAGE),--coverage --coverage-max-width 8192)
# As the precompiled header has them (VERILATED_DEFINES).
DEFINES := -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 -DVM_SC=0 -DVM_COVERAGE=$(if $(COVERAGE),1,0)
export CCACHE_SLOPPINESS ?= pch_defines,time_macros

.PHONY: models check-ports
models: $(OUT)/$(ARCHIVE).a $(OUT)/$(TABLE).inc
check-ports: $(SETS:%=$(OUT)/%/model.o) $(OUT)/default/ports.ok

# One translation unit a set: the Verilated code and the glue. Other options here need another one. Half of it or more is code that
# writes waves or runs once, at power-on; it is not optimised.
SLOW := __Trace|__Slow|__Syms
unit = cd $1 && echo '\#include "headers.h"' && ls | grep -E '___024root.h|__Syms.h' | $(INCLUDED) && \
    echo '\#pragma GCC push_options' && echo '\#pragma GCC optimize ("O0")' && \
    ls | grep -E '($(SLOW)).*\.cpp$$' | $(INCLUDED) && echo '\#pragma GCC pop_options' && \
    ls | grep '\.cpp$$' | grep -vE '$(SLOW)' | $(INCLUDED) && echo '\#include "cosim/glue.cpp"'
INCLUDED := sed 's/.*/\#include "&"/'
# Rules of named files: make would pass over a missing intermediate file, so a set that is new in ONLY would not be built.
$(SETS:%=$(OUT)/%/model.o): $(OUT)/%/model.o: $(VERILOG) $(LIBRARY) $(wildcard rtl/common/*.vh) $(PORTS) $(SETS_H) $(GLUE) $(HEADERS).gch $(OUT)/default/ports.ok cosim/model.mk
	@echo "  VERILATE $(BLOCK) $*"
	$(Q)rm -rf $(@D)/verilated && mkdir -p $(@D)
	$(Q)$(VERILATOR) $(VERILATOR_CC) --prefix V$(NAME)_$* $(call flags,$*) --Mdir $(@D)/verilated $(VERILOG)
	$(Q)$(DESCRIBE) ports $* >$(@D)/ports.txt
	$(Q)scripts/check_ports.sh "$(BLOCK) $*" $(@D)/ports.txt $(@D)/verilated/V$(NAME)_$*.h
	$(Q)($(call unit,$(@D)/verilated)) >$(@D)/model.cpp
	$(Q)$(CXX) $(CXXFLAGS_RTL) -I$(dir $(HEADERS)) -Icmodel -I. -Itb -isystem $(@D)/verilated -isystem $(INCLUDE) -isystem $(INCLUDE)/vltstd \
	    $(DEFINES) $(OTHER_SETS) -DMODEL=V$(NAME)_$* '-DMODEL_H="V$(NAME)_$*.h"' '-DPORTS_H="$(BLOCK)_ports.h"' -DBLOCK=$(NAME) \
	    -DLIST=$(LIST) -DSET=$* -c $(@D)/model.cpp -o $@

$(OUT)/$(ARCHIVE).a: $(SETS:%=$(OUT)/%/model.o) $(OUT)/default/ports.ok
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(OUT)/$(TABLE).inc: $(OUT)/sets
	$(Q)$(DESCRIBE) table | grep -E 'rtl_$(NAME)_($(subst $(eval ) ,|,$(strip $(SETS))))\)$$' >$@

$(OUT)/default/ports.ok: $(OUT)/%/ports.ok: $(VERILOG) $(LIBRARY) $(wildcard rtl/common/*.vh) $(PORTS) $(SETS_H) \
    cosim/describe.c scripts/check_ports.sh
	$(Q)mkdir -p $(@D)/xml
	$(Q)$(VERILATOR) --xml-only $(call flags,$*) --Mdir $(@D)/xml --xml-output $(@D)/ports.xml $(VERILOG)
	$(Q)$(DESCRIBE) ports $* >$(@D)/ports.txt
	$(Q)scripts/check_ports.sh "$(BLOCK) $*" $(@D)/ports.txt $(@D)/ports.xml && touch $@

$(HEADERS).gch: # tb/rules.mk makes it
