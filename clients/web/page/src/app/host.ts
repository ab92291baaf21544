// Whoever has the text of the page and shows it in a frame (a notebook, an editor) hears what is entered and found, and may put data into it. A page with
// an address tells nobody anything: other people's pages may show it.

import type { Json, Solution } from "../../../npm/src/protocol";

/** What the page tells. */
export interface Told {
  /** The values of the parameters, those that are not missing, in the JSON of the program. */
  data: { [name: string]: Json };
  /** Whether the data are complete and right. */
  usable: boolean;
  /** What is set, as constraints. */
  set: string[];
  /** The solution that is shown, in Conjure's simple JSON. */
  solution: Solution["json"] | null;
}

/** What the page takes: data, and what is set. */
export type Taken = Pick<Told, "data" | "set">;

interface Host {
  postMessage(message: unknown): void;
}

const { acquireVsCodeApi } = globalThis as { acquireVsCodeApi?: () => Host };
const hasNoAddress = location.href === "about:srcdoc" && window.parent !== window;
const host: Host | undefined = acquireVsCodeApi?.() ?? (hasNoAddress ? { postMessage: (message) => window.parent.postMessage(message, "*") } : undefined);

/** Whether the page has a host, and so no address of its own. */
export const isHosted = host !== undefined;

let last = "";

/** Tells what is new. */
export function tell(now: () => Told): void {
  if (!host) return;
  const told = now();
  const text = JSON.stringify(told);
  if (text === last) return;
  // The host may put other data into a page that has just begun.
  host.postMessage({ essence: told, isFirst: last === "" });
  last = text;
}

/** Takes what the host puts into the page. */
export function listen(take: (taken: Taken) => void): void {
  if (!host) return;
  window.addEventListener("message", ({ data, source }: MessageEvent<{ essence?: Partial<Taken> } | null>) => {
    const taken = data?.essence;
    if (source === window || typeof taken?.data !== "object") return;
    take({ data: taken.data, set: (taken.set ?? []).map(String) });
  });
}
