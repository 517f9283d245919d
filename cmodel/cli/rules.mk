# SPDX-License-Identifier: Apache-2.0
# Embeds the commit; the Makefile renews the file before it looks at it.
COMMIT_C := $(BUILD)/gen/commit_data.c

$(COMMIT_C):
	@scripts/source_commit.sh $@

# Embeds the script that draws: $(BUILD)/gen/plot_data.c is one more source of the model, compiled with -Icmodel.
PLOT_C := $(BUILD)/gen/plot_data.c

$(PLOT_C): scripts/plot_character.py cmodel/cli/rules.mk
	@mkdir -p $(@D)
	@{ echo '/* Generated from scripts/plot_character.py by cmodel/cli/rules.mk. */'; \
	   echo '#include "cli/characterize_plot.h"'; \
	   echo 'const char plot_script[] = {'; \
	   od -An -v -tu1 $< | sed 's/\([0-9][0-9]*\)/\1,/g'; \
	   echo '0};'; } > $@.tmp && mv $@.tmp $@
