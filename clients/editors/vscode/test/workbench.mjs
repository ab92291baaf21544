// Actions in an editor as a user performs them, in Chromium, which `CHROMIUM` names. Screenshots are written to
// test/screenshots.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { BROWSER, FLAGS } from "../../../web/page/test/browser.mjs";

const SCREENSHOTS = join(import.meta.dirname, "screenshots");

/** The reason why there is no editor to test in, or `false`. */
export const withoutBrowser = !existsSync(BROWSER) && `there is no browser at ${BROWSER}`;

/** Starts the browser with an empty page; its profile is in this folder. */
export async function browse(profile) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  // The panels of an editor in a browser are on other origins, and need third-party storage.
  mkdirSync(join(profile, "Default"), { recursive: true });
  writeFileSync(join(profile, "Default/Preferences"), JSON.stringify({ profile: { cookie_controls_mode: 0, block_third_party_cookies: false } }));
  const options = { executablePath: BROWSER, args: FLAGS, viewport: { width: 1400, height: 860 } };
  const browser = await chromium.launchPersistentContext(profile, options);
  const [page] = browser.pages();
  page.setDefaultTimeout(15_000);
  return { browser, page };
}

/** The editor in a page. */
export class Workbench {
  constructor(page) {
    this.page = page;
  }

  /** Waits until the editor shows its files. */
  async start(address) {
    await this.page.goto(address);
    await this.page.waitForSelector(".monaco-workbench .explorer-viewlet", { timeout: 90_000 });
  }

  screenshot(name) {
    return this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  async #choose(text) {
    await this.page.waitForSelector(".quick-input-widget .quick-input-box input");
    await this.page.keyboard.type(text);
    await this.page.waitForSelector(`.quick-input-list .monaco-list-row.focused:has-text("${text}")`);
    await this.page.keyboard.press("Enter");
  }

  async open(file) {
    await this.page.keyboard.press("Control+p");
    await this.#choose(file);
    await this.page.waitForSelector(`.tab.active:has-text("${file}")`);
    await this.page.waitForSelector(".monaco-editor.focused");
  }

  /** Opens a file by its path in the tree of files. */
  async openInTree(path) {
    const names = path.split("/");
    for (const [depth, name] of names.entries()) {
      const row = this.page.locator(`.explorer-folders-view .monaco-list-row[aria-level="${depth + 1}"]`, { has: this.page.getByText(name, { exact: true }) });
      await row.waitFor();
      if (depth + 1 === names.length) await row.dblclick();
      else if ((await row.getAttribute("aria-expanded")) !== "true") await row.click();
    }
    await this.page.waitForSelector(`.tab.active:has-text("${names.at(-1)}")`);
    await this.page.locator(".editor-instance .view-lines").first().click();
    await this.page.waitForSelector(".monaco-editor.focused");
  }

  async command(title) {
    await this.page.keyboard.press("F1");
    await this.#choose(title);
  }

  /** Answers the question for a file with the start of its name. */
  async answer(file, beginning) {
    await this.page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${file}")`);
    await this.page.keyboard.type(beginning);
    await this.page.keyboard.press("Enter");
  }

  /** The text of an editor that matches a pattern; the editor renders blanks as non-breaking. */
  async textWith(pattern) {
    const lines = this.page.locator(".view-lines", { hasText: pattern });
    await lines.first().waitFor();
    return (await lines.first().innerText()).replace(/\u00a0/g, " ");
  }

  closeAll() {
    return this.command("View: Close All Editors");
  }

  /** The contents of the front panel. */
  get frame() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }
}
