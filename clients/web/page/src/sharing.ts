// A work or an exercise in a link: JSON, deflated, in base64 for URLs, after the `#`. Browsers do not send this part of
// a link to any server.

import { asWork, type Work } from "./work";

const VERSION = "1.";
/** A link that unpacks to more bytes is refused before it fills the memory. */
const MOST_BYTES = 8_000_000;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_BYTES) {
      // A short link can unpack to a huge text.
      await reader.cancel();
      throw new Error("too long");
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Packs a value for a link; `unpack` reads it. */
export async function pack(value: unknown): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return VERSION + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Unpacks a value of any type; `null` if the text is not one, or if it is broken. */
export async function unpack(text: string): Promise<unknown> {
  if (!text.startsWith(VERSION)) return null;
  try {
    const binary = atob(text.slice(VERSION.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}

/** The work in a fragment; `null` if there is none, or if it is broken. */
export const fromFragment = async (fragment: string): Promise<Work | null> => asWork(await unpack(fragment.replace(/^#/, "")));

/** The URL of the page with the work in it. */
export async function linkTo(page: URL, work: Work): Promise<string> {
  const link = new URL(page);
  link.search = "";
  link.hash = await pack(work);
  return link.href;
}
