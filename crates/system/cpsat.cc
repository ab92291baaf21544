// A call into CP-SAT that keeps C++ exceptions out of Rust, where they would end the program.

using Solve = void(void *, const void *, int, const void *, int, void **, int *);

#ifdef __MINGW64__
// Microsoft's compiler has built the library, so `catch` of GNU's compiler does not catch its exceptions, but a
// structured exception handler of the system does. It also catches access violations, which the library causes there
// with some models that have permutations.
#include <windows.h>

// Calls a function; returns true if it has returned. After unwinding to `conjure_like_thrown`, the result is 0.
extern "C" bool conjure_like_guarded(void (*call)(void *), void *data);
extern "C" char conjure_like_thrown[];

asm(R"(
    .text
    .globl conjure_like_guarded
    .seh_proc conjure_like_guarded
conjure_like_guarded:
    subq $40, %rsp
    .seh_stackalloc 40
    .seh_endprologue
    movq %rcx, %rax
    movq %rdx, %rcx
    callq *%rax
    movl $1, %eax
    .globl conjure_like_thrown
conjure_like_thrown:
    addq $40, %rsp
    retq
    .seh_handler conjure_like_handle, @except
    .seh_endproc
)");

extern "C" EXCEPTION_DISPOSITION conjure_like_handle(EXCEPTION_RECORD *exception, void *frame, CONTEXT *context,
                                                     DISPATCHER_CONTEXT *dispatcher) {
    const DWORD thrown = 0xe06d7363;
    const bool is_known = exception->ExceptionCode == thrown || exception->ExceptionCode == EXCEPTION_ACCESS_VIOLATION;
    if (!IS_UNWINDING(exception->ExceptionFlags) && is_known) {
        RtlUnwindEx(frame, conjure_like_thrown, exception, nullptr, context, dispatcher->HistoryTable);
    }
    return ExceptionContinueSearch;
}

template <typename Call> bool returns(Call call) {
    return conjure_like_guarded([](void *data) { (*static_cast<Call *>(data))(); }, &call);
}
#else
template <typename Call> bool returns(Call call) {
    try {
        call();
        return true;
    } catch (...) {
        return false;
    }
}
#endif

// Returns true if the call has returned, and false if it has thrown.
extern "C" bool conjure_like_cpsat_solve(Solve *solve, void *environment, const void *model, int model_length,
                                         const void *parameters, int parameters_length, void **response,
                                         int *response_length) {
    return returns([=] { solve(environment, model, model_length, parameters, parameters_length, response, response_length); });
}
