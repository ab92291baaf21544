// Uses of the package that must compile, and uses that its types must reject. This file is compiled, not run.

import { ask, check, EssenceError, hint, session, solve, why, type Diagnostic, type Form, type Session, type Solution, type Solved } from "conjure-like";

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
const begun: Session = await session(model, { data: { n: 3 } });
await begun.require("x > 1", "x < 3");
await begun.set({ n: 4 });
await begun.undo(1);
const { status, solutions: inSession } = await begun.solve({ limit: 10, signal, onSolution: (one: Solution) => one.number });
for await (const better of begun.solve()) better.essence.trim();
begun.close();
const codes = (error: unknown): string[] => (error instanceof EssenceError ? error.diagnostics.map(({ code }) => code) : []);

// @ts-expect-error: a number of solutions is a number or "all".
void solve(model, { solutions: "some" });
// @ts-expect-error: a requirement is a text.
void begun.require(3);
// @ts-expect-error: there is no such verb.
void ask({ verb: "guess" });
// @ts-expect-error: `explain` needs a word.
void ask({ verb: "explain" });
// @ts-expect-error: the result of `check` is a list.
const nothing: string = await check(model);

export { codes, form, formatted, found, inSession, nothing, reasons, status, steps, x };
