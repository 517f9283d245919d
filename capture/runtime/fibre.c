/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/fibre.h"

#include <sys/mman.h>

#define PAGE 4096

bool fibre_init(struct fibre *f) {
    char *got = mmap(NULL, FIBRE_STACK_BYTES + PAGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED || mprotect(got, PAGE, PROT_NONE)) {
        return false;
    }
    *f = (struct fibre){.stack = got + PAGE};
    return true;
}

static void *resumer; /* where the caller of fibre_resume() continues */

#if defined(__x86_64__)

/* Saves what a call preserves on this stack, and goes on with the other one. */
void wm_fibre_switch(void **from, void *to);
__asm__(".text\n"
        ".globl wm_fibre_switch\n"
        ".type wm_fibre_switch, @function\n"
        "wm_fibre_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size wm_fibre_switch, .-wm_fibre_switch\n");

void fibre_start(struct fibre *f, void (*run)(void)) {
    uintptr_t *top = (uintptr_t *)(f->stack + FIBRE_STACK_BYTES) - 1; /* as behind a call */
    *top = 0;
    *--top = (uintptr_t)run;
    for (unsigned i = 0; i < 6; i++) {
        *--top = 0;
    }
    f->at = top;
}

void fibre_resume(struct fibre *f) {
    wm_fibre_switch(&resumer, f->at);
}

void fibre_wait(struct fibre *f) {
    wm_fibre_switch(&f->at, resumer);
}

#elif defined(__aarch64__)

void wm_fibre_switch(void **from, void *to);
__asm__(".text\n"
        ".globl wm_fibre_switch\n"
        ".type wm_fibre_switch, %function\n"
        "wm_fibre_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n    stp x21, x22, [sp, #16]\n    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n    stp x27, x28, [sp, #64]\n    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n    stp d10, d11, [sp, #112]\n    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n    str x9, [x0]\n    mov sp, x1\n"
        "    ldp x19, x20, [sp]\n    ldp x21, x22, [sp, #16]\n    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n    ldp x27, x28, [sp, #64]\n    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n    ldp d10, d11, [sp, #112]\n    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size wm_fibre_switch, .-wm_fibre_switch\n");

void fibre_start(struct fibre *f, void (*run)(void)) {
    uintptr_t *top = (uintptr_t *)(f->stack + FIBRE_STACK_BYTES - 160);
    for (unsigned i = 0; i < 20; i++) {
        top[i] = 0;
    }
    top[11] = (uintptr_t)run; /* x30 */
    f->at = top;
}

void fibre_resume(struct fibre *f) {
    wm_fibre_switch(&resumer, f->at);
}

void fibre_wait(struct fibre *f) {
    wm_fibre_switch(&f->at, resumer);
}

#else
#error "capture runs on x86-64 and 64-bit ARM"
#endif
