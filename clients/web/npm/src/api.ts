// The exports of the package: a function for each of the usual requests, and `ask` for every other one.

import { answered, type Data, named, type Solving as AnySolving, solving, type Source, texts } from "./asking.js";
import { Channel } from "./channel.js";
import type { Diagnostic, ExplainResult, Line, Members, Progress, Request, Result, Solution, SolveResult, Text, Verb } from "./protocol.js";
import { Session } from "./session.js";

export { type Data, EssenceError, type Source } from "./asking.js";
export { type EngineWorker, type FromWorker, type Origin, runFrom, type ToWorker } from "./channel.js";
export type * from "./protocol.js";
export type { Session, SessionSolved, SessionSolveOptions } from "./session.js";

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

/**
 * A search: a promise of its end, and an iterator over its solutions as they are found. Leaving the iteration stops the
 * search.
 */
export type Solving = AnySolving<Solved>;

/** Idle workers, kept for later requests. Requests that run at the same time use different workers. */
const idle: Channel[] = [];
const MOST_IDLE = 1;

async function run<V extends Verb>(request: Request, { signal, onLine }: AskOptions<V>): Promise<Result<V>> {
  const channel = idle.pop() ?? new Channel();
  try {
    return await answered<Result<V>>(channel, request, signal, (line) => onLine?.(line as Line<V>));
  } finally {
    if (idle.length < MOST_IDLE) idle.push(channel);
    else channel.discard();
  }
}

function about(verb: Verb, model: Source, data: Data | Data[] | undefined, members: object): Request {
  return { verb, model: named(model, "model"), data: texts(data), ...members };
}

/** Sends any request of the protocol. Resolves with the result, and rejects with an `EssenceError` on a failure. */
export function ask<V extends Verb>(
  request: { verb: V; model?: Text; data?: Text[] } & Members<V>,
  options: AskOptions<V> = {},
): Promise<Result<V>> {
  return run<V>(request as Request, options);
}

/** Returns the errors and warnings about the model and the data. */
export async function check(model: Source, { data, signal, ...members }: CheckOptions = {}): Promise<Diagnostic[]> {
  return (await run<"check">(about("check", model, data, members), { signal })).diagnostics;
}

/** Finds solutions. */
export function solve(model: Source, { data, signal, onSolution, ...members }: SolveOptions = {}): Solving {
  return solving({ signal, onSolution }, async (either, onLine) => {
    const { status, says, statistics, warnings = [] } = await run<"solve">(about("solve", model, data, members), { signal: either, onLine });
    return { status, says, statistics, warnings };
  });
}

/**
 * Explains why there is no solution; with `expected`, why this is not a solution; with `better`, why no solution is
 * better than the best one.
 */
export function why(model: Source, { data, signal, onProgress, expected, ...members }: WhyOptions = {}): Promise<ExplainResult> {
  const given = expected === undefined ? members : { ...members, expected: named(expected, "expected") };
  return run<"why">(about("why", model, data, given), { signal, onLine: onProgress });
}

/** The next step towards the solution, or all of them, each with its reasons; `known` is what is filled in already. */
export function hint(model: Source, { data, signal, onProgress, known, ...members }: HintOptions = {}): Promise<ExplainResult> {
  const given = known === undefined ? members : { ...members, known: named(known, "known") };
  return run<"hint">(about("hint", model, data, given), { signal, onLine: onProgress });
}

/** Starts a session: an instance that is solved again and again while requirements and data change. */
export function session(model: Source, { data }: { data?: Data | Data[] } = {}): Promise<Session> {
  return Session.begin(model, data);
}
