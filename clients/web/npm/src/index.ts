// The package in a browser. Bundlers recognise the two files by the form of their URLs.

import { runFrom } from "./channel.js";

runFrom({
  async module() {
    const response = await fetch(new URL("./engine.wasm", import.meta.url));
    if (!response.ok) throw new Error(`${response.url} was not found (status ${response.status})`);
    // A server may not know the type that `compileStreaming` insists on.
    return WebAssembly.compile(await response.arrayBuffer());
  },
  worker: () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }),
});

export * from "./api.js";
