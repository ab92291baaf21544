// Workers with the engine. The module is compiled once and handed to all.

import type { Answer, Failure, Request } from "./protocol.js";

/** Something that happens to a language server (src/language_server/mod.rs), which the worker keeps. */
export interface EditorEvent {
  event: unknown;
}

/** What a worker is told: the module once, and then requests; those of a session go to the same instance. */
export type ToWorker = { module: WebAssembly.Module } | { request: string | Uint8Array; session?: boolean };

/** What a worker tells: the lines of the answer, and at the end what the engine has written to standard error. */
export type FromWorker = { line: string } | { ended: string };

/** What a channel needs of a worker, in a browser and elsewhere. */
export interface EngineWorker {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Where the engine and the script of its workers come from. */
export interface Origin {
  module(): Promise<WebAssembly.Module>;
  worker(): EngineWorker;
}

let origin: Origin | undefined;
const compiled = new WeakMap<Origin, Promise<WebAssembly.Module>>();

/** Takes the engine from somewhere else. */
export function runFrom(chosen: Origin): void {
  origin = chosen;
}

function load(from: Origin): Promise<WebAssembly.Module> {
  const known = compiled.get(from);
  if (known) return known;
  const made = from.module();
  compiled.set(from, made);
  made.catch(() => compiled.delete(from));
  return made;
}

function failure(message: string): Failure {
  return {
    type: "failure",
    diagnostics: [{ severity: "error", code: "", message, labels: [], help: [], notes: [], edits: [], rendered: message }],
  };
}

const crashed = (why: string) => failure(`The solver crashed. This is a bug in conjure-like.${why ? ` It said: ${why}` : ""}`);

export interface Run<Result> {
  /** The last line; `null` if the run was stopped. */
  answer: Promise<Answer<Result> | null>;
  stop(): void;
}

/** A worker that answers one request after the other. */
export class Channel {
  #worker: Promise<EngineWorker> | undefined;
  #stop: (() => void) | undefined;

  /** Another module than the engine is taken `from` somewhere else. */
  constructor(readonly from?: Origin) {}

  async #start(): Promise<EngineWorker> {
    const from = this.from ?? origin;
    if (!from) throw new Error("nothing says where the engine is");
    const worker = from.worker();
    try {
      worker.postMessage({ module: await load(from) });
    } catch (error) {
      worker.terminate();
      throw error;
    }
    return worker;
  }

  /** Whether there is a worker: one that was stopped or has crashed is gone. */
  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /** Ends the worker; the next request starts another one. */
  discard(): void {
    void this.#worker?.then((worker) => worker.terminate()).catch(() => undefined);
    this.#worker = undefined;
  }

  /** Starts the worker, so that the first request finds it. */
  prepare(): void {
    this.#worker ??= this.#start();
    this.#worker.catch(() => undefined);
  }

  run<Result>(request: Request | EditorEvent | Uint8Array, onLine: (line: { type: string }) => void): Run<Result> {
    let stopped = false;
    let finish: (answer: Answer<Result> | null) => void = () => undefined;
    const answer = new Promise<Answer<Result> | null>((resolve) => {
      finish = (last) => {
        this.#stop = undefined;
        resolve(last);
      };
    });
    const fail = (failed: Failure) => {
      this.discard();
      finish(failed);
    };
    this.prepare();
    this.#worker?.then(
      (worker) => {
        if (stopped) return;
        let last: Answer<Result> | undefined;
        worker.onmessage = ({ data }) => {
          if (stopped) return;
          if ("line" in data) {
            const line = JSON.parse(data.line) as { type: string };
            if (line.type === "result" || line.type === "failure") last = line as Answer<Result>;
            else onLine(line);
          } else if (last) {
            finish(last);
          } else {
            fail(crashed(data.ended));
          }
        };
        worker.onerror = (event) => fail(crashed(event.message));
        if (request instanceof Uint8Array) worker.postMessage({ request });
        else worker.postMessage({ request: JSON.stringify(request), session: "event" in request || request.verb === "session" });
      },
      (error: unknown) => fail(failure(`The solver could not be started: ${error instanceof Error ? error.message : String(error)}`)),
    );
    const stop = () => {
      stopped = true;
      this.discard();
      finish(null);
    };
    this.#stop = stop;
    return { answer, stop };
  }

  stop(): void {
    this.#stop?.();
  }
}
