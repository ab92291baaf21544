// A static server for the built pages, a browser, and the modules of the pages. The folder is clients/web/dist, or OUT.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { after, before } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { BROWSER, FLAGS } from "./browser.mjs";

export const DIST = process.env.OUT ?? join(import.meta.dirname, "../../dist");
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** The reason why these tests cannot run; false if everything is installed. */
export const skip =
  (!existsSync(BROWSER) && `there is no browser at ${BROWSER}`) || (!existsSync(join(DIST, "index.html")) && "the pages are not built");

const AXE = skip ? "" : readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Asserts that axe finds no violations on the current page. */
export async function accessible(page, where) {
  // Wait for animations, because elements that fade in have other colours. An animation that is cancelled does not
  // count.
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity).map((one) => one.finished.catch(() => {}))));
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }),
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  assert.deepEqual(found, [], where);
}

/** Serves a folder with the pages, and `further` pages, and records the requests. */
export async function serve(further = {}, files = DIST) {
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    requests.push(path);
    if (further[path]) return response.writeHead(200, { "content-type": TYPES[extname(path)] }).end(further[path]);
    const file = join(files, path.replace(/^\/essence/, "").replace(/\/$/, "/index.html"));
    if (!path.startsWith("/essence/") || !existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${server.address().port}/essence/`,
    requests,
    close: () => new Promise((closed) => (server.closeAllConnections(), server.close(closed))),
  };
}

export const launch = () => chromium.launch({ executablePath: BROWSER, args: FLAGS });

/** The server and the browser of a test file that calls `useBrowser()`. */
export let server, browser;

/**
 * Starts both before the tests, and runs `prepare`. This is one hook, because Node does not wait for one hook before it
 * runs the next.
 */
export function useBrowser(prepare = () => undefined) {
  before(async () => {
    if (skip) return;
    server = await serve();
    browser = await launch();
    await prepare();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
}

/** A page of a fresh profile. Its errors are collected in `complaints`, and so are requests to other servers. */
export async function fresh(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.complaints = [];
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(url).origin) page.complaints.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

/** Waits until a value is as expected, because the page may react to an action a moment later. */
export async function becomes(read, expected, message) {
  const until = performance.now() + 20_000;
  for (;;) {
    try {
      return assert.deepEqual(await read(), expected, message);
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Bundles a module that needs no browser for Node. */
export async function load(name) {
  const { outputFiles } = await build({
    absWorkingDir: join(import.meta.dirname, ".."),
    entryPoints: [`src/${name}.ts`],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
