// Modules as text, as the page of an app contains them, and the origin of their workers. A worker unpacks them, since
// unpacking in the page would block key strokes.

import type { Origin } from "../engine";

/** A module as text: compressed, and in base64. */
export type Packed = { packed: string };

/** The module, or the reason why it could not be unpacked. */
export type Unpacked = { unpacked: WebAssembly.Module } | { failed: string };

/** The origin of a module that is given as text; `script` is the text of `worker.ts`. */
export function fromPacked(packed: () => Promise<string>, script: string): Origin {
  let url: string | undefined;
  // Keep the object URL: an editor's extension starts further workers from it later.
  const worker = () => new Worker((url ??= URL.createObjectURL(new Blob([script], { type: "text/javascript" }))));
  return {
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
  };
}
