// The script of a worker in an app: it unpacks the engine that the page contains as text, or answers requests.

import type { FromWorker, ToWorker } from "../../../npm/src/channel";
import { answering } from "../../../npm/src/execute";
import type { Packed, Unpacked } from "./unpacking";

async function unpacked(packed: string): Promise<WebAssembly.Module> {
  const binary = atob(packed);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

const tell = (message: FromWorker | Unpacked) => self.postMessage(message);
const answer = answering(tell);

self.onmessage = ({ data }: MessageEvent<ToWorker | Packed>) => {
  if (!("packed" in data)) answer(data);
  else
    unpacked(data.packed).then(
      (module) => tell({ unpacked: module }),
      (error: unknown) => tell({ failed: String(error) }),
    );
};
