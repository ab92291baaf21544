// The engine in the page itself, or in a file beside it: the module compressed and in base64, and the script of the workers as text.

import { runFrom } from "../engine";
import { words } from "./words";
import type { Packed, Unpacked } from "./worker";

const held = (id: string): HTMLElement | null => document.getElementById(id);

function worker(): Worker {
  const url = URL.createObjectURL(new Blob([held("worker")?.textContent ?? ""], { type: "text/javascript" }));
  const made = new Worker(url);
  URL.revokeObjectURL(url);
  return made;
}

/** The engine as text. A script beside the page puts it into its element: files may load scripts, and nothing else. */
async function packed(): Promise<string> {
  const element = held("engine");
  const file = element?.dataset.file;
  if (file && !element.textContent) {
    await new Promise<void>((resolve, reject) => {
      const script = document.createElement("script");
      script.src = file;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(words.noEngine(file)));
      document.head.append(script);
    });
  }
  return element?.textContent ?? "";
}

runFrom({
  // A worker unpacks the module: in the page, keys would have to wait for that.
  async module() {
    const message: Packed = { packed: await packed() };
    return new Promise((resolve, reject) => {
      const unpacker = worker();
      unpacker.onmessage = ({ data }: MessageEvent<Unpacked>) => {
        if ("unpacked" in data) resolve(data.unpacked);
        else reject(new Error(data.failed));
        unpacker.terminate();
      };
      unpacker.onerror = (event) => reject(new Error(event.message));
      unpacker.postMessage(message);
    });
  },
  worker,
});
