# SPDX-License-Identifier: Apache-2.0
# Embeds the table of costs: $(BUILD)/gen/costs_data.c is one more source of the model, compiled with -Icmodel.
COSTS_C := $(BUILD)/gen/costs_data.c

$(COSTS_C): cmodel/workloads/costs.tsv cmodel/workloads/rules.mk
	@mkdir -p $(@D)
	@{ echo '/* Generated from cmodel/workloads/costs.tsv by cmodel/workloads/rules.mk. */'; \
	   echo '#include "workloads/costs.h"'; \
	   echo 'const struct workload_cost workload_costs[] = {'; \
	   awk -F '\t' '!/^#/ && NF { printf "    {\"%s\", \"%s\", %s, %s, %s, %s, %s},\n", $$1, $$2, $$3, $$4, $$5, $$6, \
	       $$7 == "scaled" ? "true" : "false" }' $<; \
	   echo '    {0}};'; } > $@.tmp && mv $@.tmp $@

# Embeds the sets of workloads: $(BUILD)/gen/sets_data.c.
SETS_C := $(BUILD)/gen/sets_data.c

$(SETS_C): data/workload_sets.tsv cmodel/workloads/rules.mk
	@mkdir -p $(@D)
	@{ echo '/* Generated from data/workload_sets.tsv by cmodel/workloads/rules.mk. */'; \
	   echo '#include "workloads/sets.h"'; \
	   echo 'const struct workload_set_row workload_set_rows[] = {'; \
	   awk -F '\t' '!/^#/ && NF && $$1 != "set" { printf "    {\"%s\", \"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$4, $$5 }' $<; \
	   echo '    {0}};'; } > $@.tmp && mv $@.tmp $@
