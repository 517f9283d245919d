# SPDX-License-Identifier: Apache-2.0
# Embeds the presets and their parents: $(BUILD)/gen/presets_data.c is one more source of the model, compiled with -Icmodel.
BUILD ?= build
PRESET_FILES := $(sort $(wildcard cmodel/config/presets/*.ini))
PARENTS := $(sort $(wildcard cmodel/config/parents/*.ini))
PRESETS_C := $(BUILD)/gen/presets_data.c

# The folders themselves are prerequisites so that a removed preset leaves the binary too.
$(PRESETS_C): $(PRESET_FILES) $(PARENTS) cmodel/config/presets cmodel/config/parents cmodel/config/rules.mk
	@mkdir -p $(@D)
	@{ echo '/* Generated from cmodel/config/presets and parents by cmodel/config/rules.mk. */'; \
	   echo '#include "config/preset_texts.h"'; \
	   n=0; for f in $(PRESET_FILES) $(PARENTS); do \
	       echo "static const unsigned char text_$$n[] = {"; \
	       od -An -v -tu1 $$f | sed 's/\([0-9][0-9]*\)/\1,/g'; \
	       echo '};'; n=$$((n + 1)); \
	   done; \
	   echo 'const struct preset_text preset_texts[] = {'; \
	   n=0; for f in $(PRESET_FILES) $(PARENTS); do \
	       about=$$(sed -n '1s/^[;#] *//p' $$f | sed 's/[\\"]/\\&/g'); \
	       case $$f in */presets/*) machine=true;; *) machine=false;; esac; \
	       printf '    {"%s", "%s", text_%s, sizeof text_%s, %s},\n' \
	           "$$(basename $$f .ini)" "$$about" $$n $$n $$machine; n=$$((n + 1)); \
	   done; \
	   echo '    {0}};'; } > $@.tmp && mv $@.tmp $@
