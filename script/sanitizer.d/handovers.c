// Tells ThreadSanitizer what it cannot see on Linux: where a thread hands memory to another inside of the Swift runtime,
// which is not built with it. Without this it takes every `Mutex` that was waited for, and every continuation, for a race.
// script/test --sanitize thread loads it before the tests' program; the functions here stand before those of the runtime.
//
// A Mutex is locked and unlocked in code that ThreadSanitizer sees, unless a thread has to wait or to be woken. A
// continuation may be resumed before its task waits; the task then goes on without being enqueued.

#define _GNU_SOURCE
#include <dlfcn.h>

#ifndef __x86_64__
#error "knows Swift's calling convention on x86-64 only"
#endif

#define HIDDEN __attribute__((visibility("hidden")))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Missing in programs that are built without ThreadSanitizer.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));
extern void *swift_task_getCurrent(void) __attribute__((weak));

HIDDEN void *the_lock, *the_try_lock, *the_unlock, *the_await, *the_resume, *the_throwing_resume, *the_resume_with_error;

HIDDEN void acquire(void *place) {
    if (__tsan_acquire) __tsan_acquire(place);
}

HIDDEN void release(void *place) {
    if (__tsan_release) __tsan_release(place);
}

HIDDEN void acquire_task(void) {
    if (swift_task_getCurrent) acquire(swift_task_getCurrent());
}

__attribute__((constructor)) static void find_runtime(void) {
    the_lock = dlsym(RTLD_NEXT, LOCK);
    the_try_lock = dlsym(RTLD_NEXT, TRY_LOCK);
    the_unlock = dlsym(RTLD_NEXT, UNLOCK);
    the_await = dlsym(RTLD_NEXT, "swift_continuation_await");
    the_resume = dlsym(RTLD_NEXT, "swift_continuation_resume");
    the_throwing_resume = dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
    the_resume_with_error = dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError");
}

#define FUNCTION(name, code) \
    __asm__(".text\n.globl \"" name "\"\n.type \"" name "\",@function\n\"" name "\":\n push %rbp\n mov %rsp, %rbp\n" code)

// Calls one of the functions above with a register as it was, and then goes on in the runtime with all of them as they were.
#define BEFORE(name, argument, what, runtime) \
    FUNCTION(name, \
        " push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n" \
        " push %r10\n push %r11\n push %r12\n push %r13\n push %r14\n push %rax\n" \
        " mov " argument ", %rdi\n call " what "\n" \
        " pop %rax\n pop %r14\n pop %r13\n pop %r12\n pop %r11\n pop %r10\n" \
        " pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n pop %rbp\n" \
        " jmp *" runtime "(%rip)\n")

// Calls the runtime, and then one of the functions above with what %r13, Swift's self, was. Returns what the runtime did.
#define AFTER(name, what, runtime) \
    FUNCTION(name, \
        " push %r13\n push %r13\n call *" runtime "(%rip)\n" \
        " mov -8(%rbp), %rdi\n push %rax\n push %rax\n call " what "\n pop %rax\n pop %rax\n pop %r13\n pop %r13\n pop %rbp\n ret\n")

AFTER(LOCK, "acquire", "the_lock");
AFTER(TRY_LOCK, "acquire", "the_try_lock");
BEFORE(UNLOCK, "%r13", "release", "the_unlock");
BEFORE("swift_continuation_await", "%rdi", "acquire_task", "the_await");
BEFORE("swift_continuation_resume", "%rdi", "release", "the_resume");
BEFORE("swift_continuation_throwingResume", "%rdi", "release", "the_throwing_resume");
BEFORE("swift_continuation_throwingResumeWithError", "%rdi", "release", "the_resume_with_error");
