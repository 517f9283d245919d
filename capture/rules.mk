# SPDX-License-Identifier: Apache-2.0
# Capture of CUDA programs: the compiler's driver, the instrumenter, the runtime that programs are linked with, its headers.
# From the top Makefile: BUILD, Q, CC, AR, CFLAGS_ALL, LDFLAGS_ALL, MODEL_LIB.

CAPTURE_FLAGS = $(CFLAGS_ALL) -Icapture
CUDA_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out capture/cuda/module.c,$(wildcard capture/cuda/*.c)))
INSTRUMENT_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard capture/instrument/*.c))
CUDA_HEADERS := $(patsubst capture/include/%,$(BUILD)/warpmem-cuda/%,$(wildcard capture/include/*.h))
CAPTURE_TOOLS := $(BUILD)/warpmem-cc $(BUILD)/warpmem-instrument $(BUILD)/libwarpmem-cuda.a $(BUILD)/warpmem-cuda/module.o $(CUDA_HEADERS)

$(BUILD)/obj/capture/%.o: capture/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CAPTURE_FLAGS) -Wno-format-nonliteral -c $< -o $@

$(BUILD)/warpmem-cuda/module.o: capture/cuda/module.c capture/cuda/module.h
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -fPIC -Icapture -c $< -o $@

$(BUILD)/warpmem-cuda/%.h: capture/include/%.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(BUILD)/libwarpmem-cuda.a: $(CUDA_OBJ)
	@echo "  AR      $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/warpmem-instrument: $(INSTRUMENT_OBJ) $(MODEL_LIB)
	@echo "  LINK    $@"
	$(Q)$(CC) $(LDFLAGS_ALL) $^ -ldl -o $@

$(BUILD)/warpmem-cc: capture/warpmem-cc.py
	$(Q)install -m 755 $< $@

-include $(CUDA_OBJ:.o=.d) $(INSTRUMENT_OBJ:.o=.d)
