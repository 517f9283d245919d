# SPDX-License-Identifier: Apache-2.0
# Embeds the commit. The file keeps its time while the commit is the same.
COMMIT_C := $(BUILD)/gen/commit_data.c

$(COMMIT_C): FORCE
	@scripts/source_commit.sh $@

# The program runs these scripts: it looks for share/warpmem/scripts in the folders above it, where `make install` puts copies.
PROGRAM_SCRIPTS := $(BUILD)/share/warpmem/scripts
$(PROGRAM_SCRIPTS):
	@mkdir -p $(@D)
	@ln -sfn '$(abspath scripts)' $@
