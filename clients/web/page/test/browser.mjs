// The browser of all tests of pages, editors included: `CHROMIUM` names it.

export const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Does something until its result is seen. A click on a frame of another origin is lost until the browser has painted it, and a page that still connects takes no key. */
export async function until(act, result) {
  for (let left = 5; ; left--) {
    await act();
    const seen = result.waitFor(left > 0 ? { timeout: 12_000 } : {});
    if (left === 0 || (await seen.then(() => true, () => false))) return seen;
  }
}
