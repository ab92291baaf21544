// The engine beside the scripts, on the server that serves the page.

import { runFrom } from "./engine";
import { texts } from "./texts";

runFrom({
  /** The module is kept compressed, so that a server that does not compress serves no more than one that does. */
  async module() {
    const response = await fetch(new URL(ENGINE_FILE, import.meta.url));
    if (!response.ok || !response.body) throw new Error(texts.engine.missing);
    const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "content-type": "application/wasm" } }));
  },
  worker: () => new Worker(new URL(WORKER_FILE, import.meta.url), { type: "module" }),
});
