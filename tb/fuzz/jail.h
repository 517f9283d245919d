/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of a command line can ask for anything: a file anywhere, an input of gigabytes, a run of
 * days. The program's calls for these go through jail.c (the linker's --wrap: tb/fuzz/rules.mk
 * lists it). While the jail is closed, files lie in the folder of the target, nothing is started,
 * machines are small and runs short.
 */
#ifndef WARPMEM_TB_FUZZ_JAIL_H
#define WARPMEM_TB_FUZZ_JAIL_H

void jail_close(void);
void jail_open(void);

#endif
