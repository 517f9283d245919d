# SPDX-License-Identifier: Apache-2.0
# The lines of one section of a block's tests; all others become empty, so that line numbers stay those of the file.
#   awk -v section=mutants -f scripts/section.awk tb/l1/mrpb.tests
/^\[[a-z_]+\]$/ { inside = $0 == "[" section "]"; print ""; next }
{ print inside ? $0 : "" }
