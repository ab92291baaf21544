// Shared by all requests: models and data as callers write them, failures as exceptions, and a search as a promise and
// an iterator.

import type { Channel } from "./channel.js";
import type { Diagnostic, Json, Request, Solution, Text } from "./protocol.js";

/** A model or a partial solution: its text, or its text with the name that messages should use. */
export type Source = string | Text;

/** Data: a text in Essence or JSON, or the values of the parameters by their names. */
export type Data = Source | { [parameter: string]: Json };

/** The errors in the model, the data or the request. */
export class EssenceError extends Error {
  override readonly name = "EssenceError";
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    super(diagnostics.map(({ rendered }) => rendered.trimEnd()).join("\n\n"));
    this.diagnostics = diagnostics;
  }
}

const isText = (data: Data): data is Text =>
  typeof data === "object" && Object.keys(data).sort().join() === "name,text" && Object.values(data).every((one) => typeof one === "string");

/** The text with a name, by which diagnostics refer to it. */
export const named = (source: Source, name: string): Text => (typeof source === "string" ? { name, text: source } : source);

export function texts(data: Data | Data[] | undefined, name = "data"): Text[] {
  const list = data === undefined ? [] : Array.isArray(data) ? data : [data];
  return list.map((one, at) => {
    const source = typeof one === "string" || isText(one) ? one : JSON.stringify(one);
    return named(source, list.length === 1 ? name : `${name} ${at + 1}`);
  });
}

/** Sends a request to a worker. An exception in `onLine` stops the run. */
export async function answered<R>(channel: Channel, request: Request, signal?: AbortSignal, onLine?: (line: { type: string }) => void): Promise<R & { type: "result" }> {
  signal?.throwIfAborted();
  let thrown: { error: unknown } | undefined;
  const running = channel.run<R>(request, (line) => {
    try {
      onLine?.(line);
    } catch (error) {
      thrown = { error };
      // The exception cannot leave the worker's message handler, so it is thrown after the run.
      running.stop();
    }
  });
  signal?.addEventListener("abort", running.stop);
  const answer = await running.answer;
  signal?.removeEventListener("abort", running.stop);
  if (thrown) throw thrown.error;
  if (answer === null) throw signal?.aborted ? signal.reason : new Error("the run was stopped");
  if (answer.type === "failure") throw new EssenceError(answer.diagnostics);
  return answer;
}

/** A search: a promise of its end, and an iterator over its solutions as they are found. Leaving the iteration stops the search. */
export type Solving<End> = Promise<End> & AsyncIterable<Solution>;

interface Hearing {
  signal?: AbortSignal;
  onSolution?: (solution: Solution) => void;
}

/**
 * Starts a search. `start` gets a signal and a callback for each solution, and resolves with the result without the
 * solutions.
 */
export function solving<End>(
  { signal, onSolution }: Hearing,
  start: (signal: AbortSignal, onLine: (line: Solution) => void) => Promise<End>,
): Solving<End & { solutions: Solution[] }> {
  const solutions: Solution[] = [];
  const left = new AbortController();
  let wake = () => {};
  let next: Promise<void>;
  // Each solution wakes the iterators that wait for it, and starts a new promise for the next one.
  const sleep = () => (next = new Promise((resolve) => (wake = resolve)));
  sleep();
  const onLine = (line: Solution) => {
    solutions.push(line);
    wake();
    sleep();
    onSolution?.(line);
  };
  const promise = start(signal ? AbortSignal.any([signal, left.signal]) : left.signal, onLine).then((end) => ({ ...end, solutions }));
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
      // Rejects if the search has failed, so that the iteration throws, too.
      await promise;
    } finally {
      // Also runs when the caller leaves the iteration early.
      left.abort();
    }
  }
  return Object.assign(promise, { [Symbol.asyncIterator]: iterate });
}
