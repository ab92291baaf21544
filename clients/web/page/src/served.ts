// The engine beside the scripts, on the server that serves the page, and the module that reads workbooks.

import { runFrom } from "./engine";
import { texts } from "./texts";
import { readWorkbooksWith } from "./workbook";

/** A module is kept compressed, so that a server that does not compress serves no more than one that does. */
const served = (file: string) => ({
  async module() {
    const response = await fetch(new URL(file, import.meta.url));
    if (!response.ok || !response.body) throw new Error(texts.engine.missing);
    const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "content-type": "application/wasm" } }));
  },
  worker: () => new Worker(new URL(WORKER_FILE, import.meta.url), { type: "module" }),
});

runFrom(served(ENGINE_FILE));
readWorkbooksWith(served(WORKBOOK_FILE));
