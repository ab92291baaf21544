// Loads the engine and the reader of workbooks from the server of the page.

import { runFrom } from "./engine";
import { texts } from "./texts";
import { readWorkbooksWith } from "./workbook";

/** Modules are served compressed, so that even a server without compression sends no more bytes. */
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
