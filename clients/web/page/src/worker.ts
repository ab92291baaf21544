// Runs the engine: a fresh instance of the compiled module for each request, so that nothing of one run reaches the next.

import { ConsoleStdout, File, OpenFile, WASI } from "@bjorn3/browser_wasi_shim";
import type { FromWorker, ToWorker } from "./engine";

let compiled: WebAssembly.Module;

const tell = (message: FromWorker) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("module" in data) {
    compiled = data.module;
    return;
  }
  const errors: string[] = [];
  const files = [
    new OpenFile(new File(new TextEncoder().encode(data.request))),
    ConsoleStdout.lineBuffered((line) => tell({ line })),
    ConsoleStdout.lineBuffered((line) => errors.push(line)),
  ];
  try {
    const wasi = new WASI(["engine"], [], files, { debug: false });
    wasi.start(new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: wasi.wasiImport }) as never);
  } catch (error) {
    errors.push(String(error));
  }
  tell({ ended: errors.join("\n") });
};
