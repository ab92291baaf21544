// The engine in three workers: one answers questions about the texts while they are written, one examines the texts with a solver when they
// have not changed for a moment, and one does what may take long and can be stopped. The module is compiled once and handed to all.

import type { Answer, Failure, Request } from "./protocol";
import { texts } from "./texts";

export type ToWorker = { module: WebAssembly.Module } | { request: string };
export type FromWorker = { line: string } | { ended: string };

/** A question that takes longer than this is given up, and its worker replaced. */
const MOST_MILLISECONDS_FOR_A_QUESTION = 20_000;

/** Where the engine and the script of its workers come from. */
export interface Origin {
  module(): Promise<WebAssembly.Module>;
  worker(): Worker;
}

let origin: Origin | undefined;
let compiled: Promise<WebAssembly.Module> | undefined;

export function runFrom(chosen: Origin): void {
  origin = chosen;
}

/** Makes the engine ready for the first run, where a failure shows. */
export function prepare(): void {
  questions.channel.prepare();
  runs.prepare();
}

function load(): Promise<WebAssembly.Module> {
  if (!compiled) {
    compiled = origin?.module() ?? Promise.reject(new Error(texts.engine.missing));
    compiled.catch(() => (compiled = undefined));
  }
  return compiled;
}

export function failure(message: string): Failure {
  return {
    type: "failure",
    diagnostics: [{ severity: "error", code: "", message, labels: [], help: [], notes: [], edits: [], rendered: message }],
  };
}

export interface Run<Result> {
  /** The last line; `null` if the run was stopped. */
  answer: Promise<Answer<Result> | null>;
  stop(): void;
}

/** A worker that answers one request after the other. */
export class Channel {
  #worker: Promise<Worker> | undefined;
  #stop: (() => void) | undefined;

  async #start(): Promise<Worker> {
    const worker = origin?.worker();
    if (!worker) throw new Error(texts.engine.missing);
    try {
      worker.postMessage({ module: await load() } satisfies ToWorker);
    } catch (error) {
      worker.terminate();
      throw error;
    }
    return worker;
  }

  #discard(): void {
    void this.#worker?.then((worker) => worker.terminate()).catch(() => undefined);
    this.#worker = undefined;
  }

  /** Starts the worker, so that the first request finds it. */
  prepare(): void {
    this.#worker ??= this.#start();
    this.#worker.catch(() => undefined);
  }

  run<Result>(request: Request, onLine: (line: { type: string }) => void): Run<Result> {
    let stopped = false;
    let finish: (answer: Answer<Result> | null) => void = () => undefined;
    const answer = new Promise<Answer<Result> | null>((resolve) => {
      finish = (last) => {
        this.#stop = undefined;
        resolve(last);
      };
    });
    const fail = (message: string) => {
      this.#discard();
      finish(failure(message));
    };
    this.prepare();
    this.#worker?.then(
      (worker) => {
        if (stopped) return;
        let last: Answer<Result> | undefined;
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
          if (stopped) return;
          if ("line" in data) {
            const line = JSON.parse(data.line) as { type: string };
            if (line.type === "result" || line.type === "failure") last = line as Answer<Result>;
            else onLine(line);
          } else if (last) {
            finish(last);
          } else {
            fail(texts.engine.crashed(data.ended));
          }
        };
        worker.onerror = (event) => fail(texts.engine.crashed(event.message));
        worker.postMessage({ request: JSON.stringify(request) } satisfies ToWorker);
      },
      (error: unknown) => fail(texts.engine.notStarted(String(error))),
    );
    const stop = () => {
      stopped = true;
      this.#discard();
      finish(null);
    };
    this.#stop = stop;
    return { answer, stop };
  }

  stop(): void {
    this.#stop?.();
  }
}

interface Waiting {
  key: string;
  request: Request;
  resolve: (answer: Answer<object> | null) => void;
}

/** Questions that wait for a worker. */
class Queue {
  readonly channel = new Channel();
  readonly #waiting: Waiting[] = [];
  /** The key of the question that is being answered. */
  #current: string | null = null;

  async #next(): Promise<void> {
    const one = this.#waiting.shift();
    if (!one) return;
    this.#current = one.key;
    const run = this.channel.run<object>(one.request, () => undefined);
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

  /** The question with this key gets `null` if it still waits. */
  forget(key: string): void {
    const older = this.#waiting.findIndex((one) => one.key === key);
    if (older >= 0) this.#waiting.splice(older, 1)[0]?.resolve(null);
  }

  /** The question with this key gets `null`, even if it is being answered. */
  stop(key: string): void {
    this.forget(key);
    if (this.#current === key) this.channel.stop();
  }
}

const questions = new Queue();
const examinations = new Queue();
const runs = new Channel();

/** Asks about the texts. Only the latest question of each key is answered; older ones that still wait get `null`. */
export function ask<Result>(request: Request, key = request.verb): Promise<Answer<Result> | null> {
  return questions.ask(request, key);
}

/** Checks texts with a solver, too; `null` if that takes too long or is ended. */
export function examine<Result>(request: Request, key: string): Promise<Answer<Result> | null> {
  return examinations.ask({ ...request, examine: true }, key);
}

/** Ends an examination. */
export function endExamination(key: string): void {
  examinations.stop(key);
}

/** Starts what may take long. A run that is still going on is stopped first. */
export function run<Result>(request: Request, onLine: (line: { type: string }) => void = () => undefined): Run<Result> {
  runs.stop();
  return runs.run<Result>(request, onLine);
}
