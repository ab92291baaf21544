// The browser for all tests of pages and editors; `CHROMIUM` names it.

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

/**
 * Repeats an action until its result is visible. A click on a frame of another origin is lost until the browser has
 * painted it, and a page that is still connecting ignores keys.
 */
export async function until(act, result) {
  for (let left = 5; ; left--) {
    await act();
    const seen = result.waitFor(left > 0 ? { timeout: 12_000 } : {});
    if (left === 0 || (await seen.then(() => true, () => false))) return seen;
  }
}
