# SPDX-License-Identifier: Apache-2.0
# Capture of CUDA and OpenCL programs: the compiler's driver, the instrumenter, the runtimes that replace CUDA's and
# OpenCL's, their headers.
# From the top Makefile: BUILD, Q, CC, AR, CFLAGS_ALL, LDFLAGS_ALL, MODEL_LIB.

CAPTURE_FLAGS = $(CFLAGS_ALL) -Icapture
# module.c becomes a part of each module, not of the runtime.
RUNTIME_C := $(filter-out capture/runtime/module.c,$(wildcard capture/runtime/*.c))
CUDA_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(RUNTIME_C) $(wildcard capture/cuda/*.c))
INSTRUMENT_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard capture/instrument/*.c))
CUDA_HEADERS := $(patsubst capture/include/%,$(BUILD)/warpmem-capture/%,$(wildcard capture/include/*.h capture/include/*/*.h) \
    $(shell find capture/include/cuda -type f))
# Modules of warpmem-cc.
CC_MODULES := $(patsubst capture/compiler/%,$(BUILD)/warpmem-capture/%,$(wildcard capture/compiler/*.py))
# A shared library needs its own objects.
OPENCL_LIB := $(BUILD)/warpmem-opencl/libOpenCL.so.1
OPENCL_OBJ := $(patsubst %.c,$(BUILD)/obj/pic/%.o,$(RUNTIME_C) $(wildcard capture/opencl/*.c))
# The same runtime for programs that another linker links with -lcudart, laid out as a toolkit. C++'s library is there for kernels' names.
CUDART := $(BUILD)/warpmem-cuda/lib64/libcudart.so.12
CUDART_OBJ := $(patsubst %.c,$(BUILD)/obj/pic/%.o,$(RUNTIME_C) $(wildcard capture/cuda/*.c))
OPENCL_MODEL_OBJ := $(patsubst %.c,$(BUILD)/obj/pic/%.o,$(wildcard cmodel/base/*.c cmodel/kernel/*.c cmodel/trace/*.c cmodel/capture/*.c))
CAPTURE_TOOLS := $(BUILD)/warpmem-cc $(BUILD)/warpmem-instrument $(BUILD)/libwarpmem-cuda.a $(BUILD)/warpmem-capture/module.o $(CUDA_HEADERS) \
    $(CC_MODULES) $(CUDART) $(OPENCL_LIB) $(BUILD)/warpmem-opencl/libOpenCL.so

$(BUILD)/obj/capture/%.o: capture/%.c $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CAPTURE_FLAGS) -Wno-format-nonliteral -c $< -o $@

$(BUILD)/warpmem-capture/module.o: capture/runtime/module.c capture/runtime/module.h
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -fPIC -Icapture -c $< -o $@

$(BUILD)/warpmem-capture/%.h: capture/include/%.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

# libcu++'s headers have no suffix.
$(BUILD)/warpmem-capture/cuda/%: capture/include/cuda/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(BUILD)/warpmem-capture/%.py: capture/compiler/%.py
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(BUILD)/libwarpmem-cuda.a: $(CUDA_OBJ)
	@echo "  AR      $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/obj/pic/%.o: %.c $(BUILD)/model.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CAPTURE_FLAGS) -Wno-format-nonliteral -fPIC -c $< -o $@

$(BUILD)/obj/pic/libmodel.a: $(OPENCL_MODEL_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(OPENCL_LIB): $(OPENCL_OBJ) $(BUILD)/obj/pic/libmodel.a capture/opencl/versions.map
	@echo "  LINK    $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,$(@F) -Wl,-Bsymbolic -Wl,-z,defs -Wl,--version-script=capture/opencl/versions.map \
	    $(OPENCL_OBJ) $(BUILD)/obj/pic/libmodel.a $(LDLIBS_MODEL) -ldl -o $@

$(CUDART): $(CUDART_OBJ) $(BUILD)/obj/pic/libmodel.a capture/cuda/versions.map
	@echo "  LINK    $@"
	@mkdir -p $(@D) $(BUILD)/warpmem-cuda/bin
	$(Q)$(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,$(@F) -Wl,-z,defs -Wl,--version-script=capture/cuda/versions.map \
	    $(CUDART_OBJ) $(BUILD)/obj/pic/libmodel.a $(LDLIBS_MODEL) -ldl -Wl,--no-as-needed -lstdc++ -o $@
	$(Q)for name in libcudart.so libcuda.so; do ln -sf $(@F) $(@D)/$$name; done
	$(Q)ln -sf ../../warpmem-cc $(BUILD)/warpmem-cuda/bin/nvcc
	$(Q)ln -sfn ../warpmem-capture $(BUILD)/warpmem-cuda/include

$(BUILD)/warpmem-opencl/libOpenCL.so: $(OPENCL_LIB)
	$(Q)ln -sf $(<F) $@

$(BUILD)/warpmem-instrument: $(INSTRUMENT_OBJ) $(MODEL_LIB)
	@echo "  LINK    $@"
	$(Q)$(CC) $(LDFLAGS_ALL) $^ -ldl -o $@

$(BUILD)/warpmem-cc: capture/warpmem-cc.py
	$(Q)install -m 755 $< $@

-include $(CUDA_OBJ:.o=.d) $(CUDART_OBJ:.o=.d) $(OPENCL_OBJ:.o=.d) $(OPENCL_MODEL_OBJ:.o=.d) $(INSTRUMENT_OBJ:.o=.d)
