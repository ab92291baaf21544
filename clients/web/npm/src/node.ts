// The package in Node. A worker keeps the process alive only while it has a request.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { type EngineWorker, type FromWorker, runFrom } from "./channel.js";

function worker(): EngineWorker {
  const thread = new Worker(new URL("./node-worker.js", import.meta.url));
  thread.unref();
  const made: EngineWorker = {
    onmessage: null,
    onerror: null,
    postMessage(message) {
      if ("request" in message) thread.ref();
      thread.postMessage(message);
    },
    terminate: () => void thread.terminate(),
  };
  thread.on("message", (data: FromWorker) => {
    if ("ended" in data) thread.unref();
    made.onmessage?.({ data } as MessageEvent<FromWorker>);
  });
  thread.on("error", (error: Error) => made.onerror?.({ message: error.message } as ErrorEvent));
  return made;
}

runFrom({
  module: async () => WebAssembly.compile(await readFile(new URL("./engine.wasm", import.meta.url))),
  worker,
});

export * from "./api.js";
