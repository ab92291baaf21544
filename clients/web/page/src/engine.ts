// The engine in three workers: one answers requests about the texts while the user types, one examines the texts with a
// solver when they have not changed for a moment, and one runs long requests that can be stopped.

import { Channel, type Run } from "../../npm/src/channel";
import type { Answer, Request } from "../../npm/src/protocol";

export { Channel, type FromWorker, type Origin, type Run, runFrom, type ToWorker } from "../../npm/src/channel";

/** A question that takes longer is abandoned, and its worker replaced. */
const MOST_MILLISECONDS_FOR_A_QUESTION = 20_000;

/** Prepares the engine for the first run, which reports any failure. */
export function prepare(): void {
  questions.channel.prepare();
  runs.prepare();
}

interface Waiting {
  key: string;
  request: Request;
  resolve: (answer: Answer<object> | null) => void;
}

/** A queue of questions for a worker. */
class Queue {
  readonly channel = new Channel();
  readonly #waiting: Waiting[] = [];
  /** The key of the question in progress. */
  #current: string | null = null;

  async #next(): Promise<void> {
    const one = this.#waiting.shift();
    if (!one) return;
    this.#current = one.key;
    const run = this.channel.run<object>(one.request, () => undefined);
    // Stopping resolves the run with `null` and ends the worker; the next question starts a new one.
    const timer = setTimeout(() => run.stop(), MOST_MILLISECONDS_FOR_A_QUESTION);
    one.resolve(await run.answer);
    clearTimeout(timer);
    this.#current = null;
    void this.#next();
  }

  ask<Result>(request: Request, key: string): Promise<Answer<Result> | null> {
    this.forget(key);
    return new Promise((resolve) => {
      this.#waiting.push({ key, request, resolve: resolve as Waiting["resolve"] });
      if (this.#current === null) void this.#next();
    });
  }

  /** Resolves the question with this key with `null` if it still waits. */
  forget(key: string): void {
    const older = this.#waiting.findIndex((one) => one.key === key);
    if (older >= 0) this.#waiting.splice(older, 1)[0]?.resolve(null);
  }

  /** Resolves the question with this key with `null`, even if it is in progress. */
  stop(key: string): void {
    this.forget(key);
    if (this.#current === key) this.channel.stop();
  }
}

const questions = new Queue();
const examinations = new Queue();
const runs = new Channel();

/**
 * Asks about the texts. Only the latest question of each key is answered; older ones that still wait resolve with
 * `null`.
 */
export function ask<Result>(request: Request, key = request.verb): Promise<Answer<Result> | null> {
  return questions.ask(request, key);
}

/** Checks texts with a solver, too; `null` if that takes too long or is stopped. */
export function examine<Result>(request: Request, key: string): Promise<Answer<Result> | null> {
  return examinations.ask({ ...request, examine: true }, key);
}

/** Stops an examination. */
export function endExamination(key: string): void {
  examinations.stop(key);
}

/** Starts a long request, after stopping the previous one. */
export function run<Result>(request: Request, onLine: (line: { type: string }) => void = () => undefined): Run<Result> {
  runs.stop();
  return runs.run<Result>(request, onLine);
}
