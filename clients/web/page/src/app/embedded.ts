// The engine in the page itself: the module compressed and in base64, and the script of the workers as text.

import { runFrom } from "../engine";
import type { Packed, Unpacked } from "./worker";

const held = (id: string): string => document.getElementById(id)?.textContent ?? "";

function worker(): Worker {
  const url = URL.createObjectURL(new Blob([held("worker")], { type: "text/javascript" }));
  const made = new Worker(url);
  URL.revokeObjectURL(url);
  return made;
}

runFrom({
  // A worker unpacks the module: in the page, keys would have to wait for that.
  module: () =>
    new Promise((resolve, reject) => {
      const unpacker = worker();
      unpacker.onmessage = ({ data }: MessageEvent<Unpacked>) => {
        if ("unpacked" in data) resolve(data.unpacked);
        else reject(new Error(data.failed));
        unpacker.terminate();
      };
      unpacker.onerror = (event) => reject(new Error(event.message));
      unpacker.postMessage({ packed: held("engine") } satisfies Packed);
    }),
  worker,
});
