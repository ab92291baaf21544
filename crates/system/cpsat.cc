// A call into CP-SAT from which a C++ exception does not get into Rust, which would end the program.

using Solve = void(void *, const void *, int, const void *, int, void **, int *);

// Whether the call returned; otherwise it threw something.
extern "C" bool conjure_like_cpsat_solve(Solve *solve, void *environment, const void *model, int model_length,
                                         const void *parameters, int parameters_length, void **response,
                                         int *response_length) {
    try {
        solve(environment, model, model_length, parameters, parameters_length, response, response_length);
        return true;
    } catch (...) {
        return false;
    }
}
