// Modules as text, as the page of an app holds them, and where their workers come from. A worker unpacks them: in the page, keys would have to wait for that.

import type { Origin } from "../engine";

/** A module as text: compressed, and in base64. */
export type Packed = { packed: string };

/** The module, or why it could not be made. */
export type Unpacked = { unpacked: WebAssembly.Module } | { failed: string };

/** Takes a module from its text; `script` is the text of `worker.ts`. */
export function fromPacked(packed: () => Promise<string>, script: string): Origin {
  let url: string | undefined;
  // The address stays: an editor's extension gets workers that read it later.
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
