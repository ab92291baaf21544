// What the package exports: a function for each of the usual questions, and `ask` for all of them.

import { Channel } from "./channel.js";
import type { Diagnostic, ExplainResult, Json, Line, Members, Progress, Request, Result, Solution, SolveResult, Text, Verb } from "./protocol.js";

export { type EngineWorker, type Origin, runFrom } from "./channel.js";
export type { FromWorker, ToWorker } from "./execute.js";
export type * from "./protocol.js";

/** A model or a partial solution: its text, or its text with the name that messages shall give it. */
export type Source = string | Text;

/** Data: a text in Essence or JSON, or the values of the parameters by their names. */
export type Data = Source | { [parameter: string]: Json };

/** What the model, the data or the request got wrong. */
export class EssenceError extends Error {
  override readonly name = "EssenceError";
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    super(diagnostics.map(({ rendered }) => rendered.trimEnd()).join("\n\n"));
    this.diagnostics = diagnostics;
  }
}

export interface AskOptions<V extends Verb = Verb> {
  /** Stops the run, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called for each line before the last one. */
  onLine?: (line: Line<V>) => void;
}

interface About {
  data?: Data | Data[];
  signal?: AbortSignal;
}

export type CheckOptions = About & Members<"check">;

export type SolveOptions = About & Members<"solve"> & { onSolution?: (solution: Solution) => void };

type WithSource<V extends Verb, Name extends string> = Omit<Members<V>, Name> & { [name in Name]?: Source };

export type WhyOptions = About & WithSource<"why", "expected"> & { onProgress?: (progress: Progress) => void };

export type HintOptions = About & WithSource<"hint", "known"> & { onProgress?: (progress: Progress) => void };

export interface Solved extends Omit<SolveResult, "solutions"> {
  solutions: Solution[];
  warnings: Diagnostic[];
}

/** A search: a promise of its end, and an iterator over its solutions as they are found. Leaving the iteration stops the search. */
export type Solving = Promise<Solved> & AsyncIterable<Solution>;

/** Workers without a request. Each request that runs at the same time has a worker of its own; this many are kept. */
const idle: Channel[] = [];
const MOST_IDLE = 1;

async function run<V extends Verb>(request: Request, { signal, onLine }: AskOptions<V>): Promise<Result<V>> {
  signal?.throwIfAborted();
  const channel = idle.pop() ?? new Channel();
  let thrown: { error: unknown } | undefined;
  const running = channel.run<Result<V>>(request, (line) => {
    try {
      onLine?.(line as Line<V>);
    } catch (error) {
      thrown = { error };
      running.stop();
    }
  });
  signal?.addEventListener("abort", running.stop);
  const answer = await running.answer;
  signal?.removeEventListener("abort", running.stop);
  if (idle.length < MOST_IDLE) idle.push(channel);
  else channel.discard();
  if (thrown) throw thrown.error;
  if (answer === null) throw signal?.reason;
  if (answer.type === "failure") throw new EssenceError(answer.diagnostics);
  return answer;
}

const isText = (data: Data): data is Text =>
  typeof data === "object" && Object.keys(data).sort().join() === "name,text" && Object.values(data).every((one) => typeof one === "string");

/** The text with a name that tells it apart from the others. */
const named = (source: Source, name: string): Text => (typeof source === "string" ? { name, text: source } : source);

function texts(data: Data | Data[] | undefined): Text[] {
  const list = data === undefined ? [] : Array.isArray(data) ? data : [data];
  return list.map((one, at) => {
    const source = typeof one === "string" || isText(one) ? one : JSON.stringify(one);
    return named(source, list.length === 1 ? "data" : `data ${at + 1}`);
  });
}

function about(verb: Verb, model: Source, data: Data | Data[] | undefined, members: object): Request {
  return { verb, model: named(model, "model"), data: texts(data), ...members };
}

/** Asks anything that PROTOCOL.md describes; resolves with the result, and rejects with an `EssenceError` instead of a failure. */
export function ask<V extends Verb>(
  request: { verb: V; model?: Text; data?: Text[] } & Members<V>,
  options: AskOptions<V> = {},
): Promise<Result<V>> {
  return run<V>(request as Request, options);
}

/** What is wrong with the model and the data, and what is noticeable. */
export async function check(model: Source, { data, signal, ...members }: CheckOptions = {}): Promise<Diagnostic[]> {
  return (await run<"check">(about("check", model, data, members), { signal })).diagnostics;
}

/** Finds solutions. */
export function solve(model: Source, { data, signal, onSolution, ...members }: SolveOptions = {}): Solving {
  const solutions: Solution[] = [];
  const left = new AbortController();
  let wake = () => {};
  let next: Promise<void>;
  const sleep = () => (next = new Promise((resolve) => (wake = resolve)));
  sleep();
  const onLine = (line: Solution) => {
    solutions.push(line);
    wake();
    sleep();
    onSolution?.(line);
  };
  const either = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const promise = run<"solve">(about("solve", model, data, members), { signal: either, onLine }).then(
    ({ status, says, statistics, warnings = [] }): Solved => ({ status, says, solutions, statistics, warnings }),
  );
  async function* iterate(): AsyncGenerator<Solution, void> {
    let ended = false;
    const end = () => {
      ended = true;
      wake();
    };
    promise.then(end, end);
    try {
      for (let at = 0; ; await next) {
        while (at < solutions.length) yield solutions[at++] as Solution;
        if (ended) break;
      }
      // The iteration tells what went wrong.
      await promise;
    } finally {
      left.abort();
    }
  }
  return Object.assign(promise, { [Symbol.asyncIterator]: iterate });
}

/** Why there is no solution; with `expected`, why this is not one; with `better`, why nothing is better than the best one. */
export function why(model: Source, { data, signal, onProgress, expected, ...members }: WhyOptions = {}): Promise<ExplainResult> {
  const given = expected === undefined ? members : { ...members, expected: named(expected, "expected") };
  return run<"why">(about("why", model, data, given), { signal, onLine: onProgress });
}

/** The next step to the solution, or all of them, each with its reasons; `known` is what is filled in already. */
export function hint(model: Source, { data, signal, onProgress, known, ...members }: HintOptions = {}): Promise<ExplainResult> {
  const given = known === undefined ? members : { ...members, known: named(known, "known") };
  return run<"hint">(about("hint", model, data, given), { signal, onLine: onProgress });
}
