// Workers that run the engine. The module is compiled once and shared by all of them.

import type { Answer, Failure, Request } from "./protocol.js";

/** An event for the language server (src/language_server/mod.rs), whose state the worker keeps. */
export interface EditorEvent {
  event: unknown;
}

/** A message to a worker: the module once, then requests. The requests of a session go to the same instance. */
export type ToWorker = { module: WebAssembly.Module } | { request: string | Uint8Array; session?: boolean };

/** A message from a worker: the lines of the answer, and at its end the engine's output on standard error. */
export type FromWorker = { line: string } | { ended: string };

/** The part of a worker that a channel uses, in a browser or elsewhere. */
export interface EngineWorker {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** The source of the engine and of the script of its workers. */
export interface Origin {
  module(): Promise<WebAssembly.Module>;
  worker(): EngineWorker;
}

let origin: Origin | undefined;
const compiled = new WeakMap<Origin, Promise<WebAssembly.Module>>();

/** Loads the engine from another origin. */
export function runFrom(chosen: Origin): void {
  origin = chosen;
}

function load(from: Origin): Promise<WebAssembly.Module> {
  const known = compiled.get(from);
  if (known) return known;
  const made = from.module();
  compiled.set(from, made);
  // A failed download may succeed the next time.
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

/** A worker that answers one request at a time. */
export class Channel {
  #worker: Promise<EngineWorker> | undefined;
  #stop: (() => void) | undefined;

  /** `from` is the origin of another module than the engine. */
  constructor(readonly from?: Origin) {}

  async #start(): Promise<EngineWorker> {
    const from = this.from ?? origin;
    if (!from) throw new Error("nothing says where the engine is");
    const worker = from.worker();
    try {
      // The worker starts while the module is being compiled.
      worker.postMessage({ module: await load(from) });
    } catch (error) {
      worker.terminate();
      throw error;
    }
    return worker;
  }

  /** True if there is a worker: one that was stopped or has crashed is gone. */
  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /** Ends the worker; the next request starts a new one. */
  discard(): void {
    void this.#worker?.then((worker) => worker.terminate()).catch(() => undefined);
    this.#worker = undefined;
  }

  /** Starts the worker early, so that the first request need not wait for it. */
  prepare(): void {
    this.#worker ??= this.#start();
    // `run` reports the error; without this, it would be an unhandled rejection.
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
          // The answer is complete only when the instance has ended, since it may crash after its last line.
          } else if (last) {
            finish(last);
          } else {
            fail(crashed(data.ended));
          }
        };
        worker.onerror = (event) => fail(crashed(event.message));
        // Bytes are a workbook for the other module, which has no sessions.
        if (request instanceof Uint8Array) worker.postMessage({ request });
        else worker.postMessage({ request: JSON.stringify(request), session: "event" in request || request.verb === "session" });
      },
      (error: unknown) => fail(failure(`The solver could not be started: ${error instanceof Error ? error.message : String(error)}`)),
    );
    // WebAssembly cannot be interrupted, so stopping a run ends its worker.
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
