# SPDX-License-Identifier: Apache-2.0
# Embeds the commit. The file keeps its time while the commit is the same.
COMMIT_C := $(BUILD)/gen/commit_data.c

$(COMMIT_C): FORCE
	@scripts/source_commit.sh $@

# Embeds the scripts that draw pictures and write pages: $(BUILD)/gen/plot_data.c is one more source of the model, compiled with
# -Icmodel.
PLOT_C := $(BUILD)/gen/plot_data.c
SLURM_TASKS := $(BUILD)/gen/slurm_tasks.py
PLOTS := scripts/plot_character.py scripts/plot_compare.py scripts/house/page.py $(SLURM_TASKS)

# A script and the files that it imports, in one; the parts no longer import each other.
$(SLURM_TASKS): scripts/house/house.py scripts/house/slurm.py scripts/slurm_tasks.py cmodel/cli/rules.mk
	@mkdir -p $(@D)
	@sed -E '/^from (house|slurm) import/d' $(filter %.py,$^) > $@.tmp && mv $@.tmp $@

$(PLOT_C): $(PLOTS) cmodel/cli/rules.mk
	@mkdir -p $(@D)
	@{ echo '/* Generated from $(PLOTS) by cmodel/cli/rules.mk. */'; \
	   echo '#include "cli/report/plot.h"'; \
	   for plot in $(PLOTS); do \
	       echo "const char $$(basename $$plot .py)_script[] = {"; \
	       od -An -v -tu1 $$plot | sed 's/\([0-9][0-9]*\)/\1,/g'; \
	       echo '0};'; \
	   done; } > $@.tmp && mv $@.tmp $@
