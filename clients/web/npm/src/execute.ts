// Runs the engine: a fresh instance of the compiled module for each request, so that nothing of one run reaches the next.

import { ConsoleStdout, File, OpenFile, WASI } from "@bjorn3/browser_wasi_shim";

/** What a worker is told: the module once, and then requests. */
export type ToWorker = { module: WebAssembly.Module } | { request: string };

/** What a worker tells: the lines of the answer, and at the end what the engine has written to standard error. */
export type FromWorker = { line: string } | { ended: string };

/** Answers one request, and returns what the engine has written to standard error. */
export function execute(module: WebAssembly.Module, request: string, onLine: (line: string) => void): string {
  const errors: string[] = [];
  const files = [
    new OpenFile(new File(new TextEncoder().encode(request))),
    ConsoleStdout.lineBuffered(onLine),
    ConsoleStdout.lineBuffered((line) => errors.push(line)),
  ];
  try {
    const wasi = new WASI(["engine"], [], files, { debug: false });
    wasi.start(new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport }));
  } catch (error) {
    errors.push(String(error));
  }
  return errors.join("\n");
}

/** Answers the messages of a worker; `tell` sends one back. */
export function answering(tell: (message: FromWorker) => void): (message: ToWorker) => void {
  let compiled: WebAssembly.Module;
  return (message) => {
    if ("module" in message) compiled = message.module;
    else tell({ ended: execute(compiled, message.request, (line) => tell({ line })) });
  };
}
