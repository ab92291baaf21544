// The engine in the page itself: the module compressed and in base64, and the script of the workers as text.

import { runFrom } from "../engine";

const held = (id: string): string => document.getElementById(id)?.textContent ?? "";

runFrom({
  async module() {
    const binary = atob(held("engine"));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
  },
  worker() {
    const url = URL.createObjectURL(new Blob([held("worker")], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    return worker;
  },
});
