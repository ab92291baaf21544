// Runs the engine. Each request gets a fresh instance of the compiled module, so that runs cannot affect each other; a
// session keeps its instance.

import { ConsoleStdout, File, OpenFile, WASI } from "@bjorn3/browser_wasi_shim";
import type { FromWorker, ToWorker } from "./channel.js";

/**
 * An instance of the module. It answers its first request when it starts, and later ones through its exported function.
 */
export class EngineInstance {
  readonly #wasi: WASI;
  readonly #instance: WebAssembly.Instance;
  #errors: string[] = [];
  #isStarted = false;
  /** True if the instance can answer another request. */
  usable = true;

  constructor(module: WebAssembly.Module, onLine: (line: string) => void) {
    const files = [new OpenFile(new File(new Uint8Array())), ConsoleStdout.lineBuffered(onLine), ConsoleStdout.lineBuffered((line) => this.#errors.push(line))];
    this.#wasi = new WASI(["engine"], [], files, { debug: false });
    this.#instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: this.#wasi.wasiImport });
  }

  /** Answers a request, and returns the engine's output on standard error. */
  answer(request: string | Uint8Array): string {
    this.#errors = [];
    // Standard input is the request.
    this.#wasi.fds[0] = new OpenFile(new File(typeof request === "string" ? new TextEncoder().encode(request) : request));
    try {
      if (this.#isStarted) (this.#instance.exports["again"] as () => void)();
      else this.usable = this.#wasi.start(this.#instance) === 0;
      this.#isStarted = true;
    } catch (error) {
      this.usable = false;
      this.#errors.push(String(error));
    }
    return this.#errors.join("\n");
  }
}

/** Handles the messages to a worker; `tell` sends one back. */
export function answering(tell: (message: FromWorker) => void): (message: ToWorker) => void {
  let compiled: WebAssembly.Module;
  let kept: EngineInstance | undefined;
  const onLine = (line: string) => tell({ line });
  return (message) => {
    if ("module" in message) {
      compiled = message.module;
      return;
    }
    // A request outside the session must not disturb it.
    const instance = (message.session && kept) || new EngineInstance(compiled, onLine);
    const ended = instance.answer(message.request);
    if (message.session) kept = instance.usable ? instance : undefined;
    tell({ ended });
  };
}
