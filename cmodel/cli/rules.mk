# SPDX-License-Identifier: Apache-2.0
# Embeds the commit; the Makefile renews the file before it looks at it.
COMMIT_C := $(BUILD)/gen/commit_data.c

$(COMMIT_C):
	@scripts/source_commit.sh $@

# Embeds the scripts that draw: $(BUILD)/gen/plot_data.c is one more source of the model, compiled with -Icmodel.
PLOT_C := $(BUILD)/gen/plot_data.c
PLOTS := character compare

$(PLOT_C): $(PLOTS:%=scripts/plot_%.py) cmodel/cli/rules.mk
	@mkdir -p $(@D)
	@{ echo '/* Generated from $(PLOTS:%=scripts/plot_%.py) by cmodel/cli/rules.mk. */'; \
	   echo '#include "cli/plot.h"'; \
	   for plot in $(PLOTS); do \
	       echo "const char plot_$${plot}_script[] = {"; \
	       od -An -v -tu1 scripts/plot_$$plot.py | sed 's/\([0-9][0-9]*\)/\1,/g'; \
	       echo '0};'; \
	   done; } > $@.tmp && mv $@.tmp $@
