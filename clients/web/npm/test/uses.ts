// What programs may write, and what the types refuse. It is compiled, not run.

import { ask, check, EssenceError, hint, solve, why, type Diagnostic, type Form, type Solution, type Solved } from "conjure-like";

const model = "given n : int\nfind x : int(1..n)";
const { signal } = new AbortController();

const solved: Solved = await solve(model, { data: { n: 3 }, solutions: "all", limit: 10, seed: 1, signal });
const x: unknown = solved.solutions[0]?.json["x"];
for await (const solution of solve(model, { data: ["letting n be 3"], onSolution: (one: Solution) => one.number })) solution.essence.trim();
const found: Diagnostic[] = await check({ name: "model.essence", text: model }, { examine: true });
const reasons: string[] | undefined = (await why(model, { expected: "letting x be 4", better: false })).answer.reasons?.map(({ says }) => says);
const steps: number | undefined = (await hint(model, { known: "letting x be _", all: true })).answer.steps?.length;
const form: Form = await ask({ verb: "form", model: { name: "m", text: model } });
const formatted: string = (await ask({ verb: "format", model: { name: "m", text: model }, width: 60 })).formatted;
await ask({ verb: "solve", model: { name: "m", text: model } }, { onLine: (line) => line.essence });
const codes = (error: unknown): string[] => (error instanceof EssenceError ? error.diagnostics.map(({ code }) => code) : []);

// @ts-expect-error: a number of solutions is a number or "all".
void solve(model, { solutions: "some" });
// @ts-expect-error: there is no such verb.
void ask({ verb: "guess" });
// @ts-expect-error: `explain` needs a word.
void ask({ verb: "explain" });
// @ts-expect-error: the result of `check` is a list.
const nothing: string = await check(model);

export { codes, form, formatted, found, nothing, reasons, steps, x };
