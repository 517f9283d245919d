# SPDX-License-Identifier: Apache-2.0
# Embeds the table of opcodes: $(BUILD)/gen/opcodes_data.c is one more source of the model, compiled with -Icmodel.
OPCODES_C := $(BUILD)/gen/opcodes_data.c

$(OPCODES_C): cmodel/trace/opcodes.tsv cmodel/trace/rules.mk
	@mkdir -p $(@D)
	@{ echo '/* Generated from cmodel/trace/opcodes.tsv by cmodel/trace/rules.mk. */'; \
	   echo '#include "trace/opcodes.h"'; \
	   echo 'const char opcodes_text[] = {'; \
	   od -An -v -tu1 $< | sed 's/\([0-9][0-9]*\)/\1,/g'; \
	   echo '0};'; } > $@.tmp && mv $@.tmp $@
