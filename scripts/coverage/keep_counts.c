/* SPDX-License-Identifier: Apache-2.0
 *
 * gcov writes its counts when a program returns from main() or calls exit(). This writes them as
 * well where one ends by _exit() or abort(), or becomes another by execl(): linked into the
 * programs of `make coverage` alone, with --wrap of these names.
 */
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

enum { WORDS = 64 };

void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __real_abort(void) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));
void __wrap_abort(void) __attribute__((noreturn));
int __wrap_execl(const char *path, const char *word, ...);

void __wrap__exit(int status) {
    __gcov_dump();
    __real__exit(status);
}

void __wrap_abort(void) {
    __gcov_dump();
    __real_abort();
}

int __wrap_execl(const char *path, const char *word, ...) {
    char *words[WORDS + 1] = {(char *)word};
    va_list list;
    va_start(list, word);
    for (size_t i = 1; i < WORDS && (words[i] = va_arg(list, char *)); i++) {}
    va_end(list);
    __gcov_dump();
    return execv(path, words);
}
