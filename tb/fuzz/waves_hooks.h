/* SPDX-License-Identifier: Apache-2.0
 *
 * Included before everything in wavediff's sources when a target calls them: what they ask of the
 * system goes through here, so that the end of the program is the end of a call, and what it leaves
 * to the system's cleaning up is cleaned up.
 */
#ifndef WARPMEM_TB_FUZZ_WAVES_HOOKS_H
#define WARPMEM_TB_FUZZ_WAVES_HOOKS_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *hook_malloc(size_t size);
void *hook_calloc(size_t count, size_t size);
void *hook_realloc(void *memory, size_t size);
char *hook_strdup(const char *text);
void hook_free(void *memory);
FILE *hook_fdopen(int fd, const char *mode);
int hook_fclose(FILE *file);
int hook_pipe(int ends[2]);
pid_t hook_fork(void);
int hook_kill(pid_t child, int number);
pid_t hook_waitpid(pid_t child, int *status, int options);
_Noreturn void hook_exit(int status);

#ifndef WAVES_HOOKS_MADE_HERE
#define malloc hook_malloc
#define calloc hook_calloc
#define realloc hook_realloc
#define strdup hook_strdup
#define free hook_free
#define fdopen hook_fdopen
#define fclose hook_fclose
#define pipe hook_pipe
#define fork hook_fork
#define kill hook_kill
#define waitpid hook_waitpid
#define exit hook_exit
#define main wavediff_main
#endif

int wavediff_main(int argc, char **argv);

#endif
