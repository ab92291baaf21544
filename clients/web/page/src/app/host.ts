// The host of a page that has no address: a notebook or an editor that shows the text of the page in a frame. It is
// notified of the data and the solution, and may put data into the page. A page with an address notifies no one,
// because foreign pages may show it in a frame.

import type { Json, Solution } from "../../../npm/src/protocol";

/** A notification to the host. */
export interface Told {
  /** The values of the parameters that are not missing, in the JSON of the program. */
  data: { [name: string]: Json };
  /** True if the data are complete and right. */
  usable: boolean;
  /** The set values as constraints. */
  set: string[];
  /** The solution that is shown, in Conjure's simple JSON. */
  solution: Solution["json"] | null;
}

/** The data and the set values that the host puts into the page. */
export type Taken = Pick<Told, "data" | "set">;

interface Host {
  postMessage(message: unknown): void;
}

const { acquireVsCodeApi } = globalThis as { acquireVsCodeApi?: () => Host };
const hasNoAddress = location.href === "about:srcdoc" && window.parent !== window;
const host: Host | undefined = acquireVsCodeApi?.() ?? (hasNoAddress ? { postMessage: (message) => window.parent.postMessage(message, "*") } : undefined);

/** True if the page has a host, and therefore no address. */
export const isHosted = host !== undefined;

let last = "";

/** Notifies the host of a change. */
export function tell(now: () => Told): void {
  if (!host) return;
  const told = now();
  const text = JSON.stringify(told);
  if (text === last) return;
  // The first message is marked: the host may then put its data into the page.
  host.postMessage({ essence: told, isFirst: last === "" });
  last = text;
}

/** Listens for data from the host. */
export function listen(take: (taken: Taken) => void): void {
  if (!host) return;
  window.addEventListener("message", ({ data, source }: MessageEvent<{ essence?: Partial<Taken> } | null>) => {
    const taken = data?.essence;
    if (source === window || typeof taken?.data !== "object") return;
    take({ data: taken.data, set: (taken.set ?? []).map(String) });
  });
}
