// The engine as text, as the page of an app holds it, and where its workers come from. A worker unpacks it: in the page, keys would have to wait for that.

import { runFrom } from "../engine";

/** The engine as text: compressed, and in base64. */
export type Packed = { packed: string };

/** The engine as a module, or why it could not be made. */
export type Unpacked = { unpacked: WebAssembly.Module } | { failed: string };

/** Takes the engine from its text; `script` is the text of `worker.ts`. */
export function runFromPacked(packed: () => Promise<string>, script: string): void {
  let url: string | undefined;
  // The address stays: an editor's extension gets workers that read it later.
  const worker = () => new Worker((url ??= URL.createObjectURL(new Blob([script], { type: "text/javascript" }))));
  runFrom({
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
}
