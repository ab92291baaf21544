// Shared by the tests of apps: apps of models, opened in Chromium, and the actions of users. APP is the page with the
// engine; PROGRAM makes apps of it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { until } from "../browser.mjs";
import { launch } from "../common.mjs";

export const ROOT = join(import.meta.dirname, "../../../../..");
export const { PROGRAM = "conjure-like", APP = join(ROOT, "clients/web/app.html") } = process.env;
const { CHROMIUM = "/usr/bin/chromium" } = process.env;
export const skip = (!existsSync(CHROMIUM) && `there is no browser at ${CHROMIUM}`) || (!existsSync(APP) && "the page of the apps is not built");

let browser, folder;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "apps-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

export const run = (...args) => execFileSync(PROGRAM, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
export const shipped = (model, param) => [join(ROOT, "models", `${model}.essence`), ...(param ? [join(ROOT, "params", `${param}.param`)] : [])];

/** Makes an app and returns its file. */
export function made(name, ...args) {
  const file = inFolder(`${name}.html`);
  run("app", ...args, "--page", APP, "-o", file);
  return file;
}

/** The path of a file in the folder of the tests. */
export const inFolder = (name) => join(folder, name);

/** Writes a text to a file. */
export function written(name, text) {
  const file = inFolder(name);
  writeFileSync(file, text);
  return file;
}

/** Opens an app from its file, or from a server of the test. Collects its errors and its requests to other hosts. */
export async function opened(file, options = {}, url = `file://${file}`) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en", acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.complaints = [];
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("dialog", (dialog) => (page.complaints.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || request.url().startsWith(new URL(url).origin) || page.complaints.push(`request to ${request.url()}`));
  await page.goto(url);
  return page;
}

/** On a phone, the first data are solved at once. */
export const ready = (page) => page.waitForFunction(() => /^(Click a place|Klicken Sie|Solved|This is a best)/.test(document.querySelector(".status")?.textContent ?? ""), null, { timeout: 60_000 });
export const cell = (page, name) => page.locator(`.place[data-cell=${JSON.stringify(name)}]`);
/** A place of the board, of a cell or of one of its values. */
export const placeOf = (page, { cell: name, value }) => (value === undefined ? cell(page, name) : page.locator(`.place[data-cell=${JSON.stringify(name)}][data-value=${JSON.stringify(value)}]`));
export const parameter = (page, name) => page.locator(`.parameter[data-parameter="${name}"]`);

/** Sets a cell by clicks on it and on a value. */
export async function set(page, name, value) {
  // A place for each of a few values needs no menu.
  const own = page.locator(`.place[data-cell=${JSON.stringify(name)}][data-value=${JSON.stringify(String(value))}]`);
  if ((await own.count()) > 0) {
    await own.click();
    return;
  }
  const offered = page.locator(".offer .value", { hasText: new RegExp(`^${value}$`) });
  // A click is lost if the picture arrives between press and release.
  await until(() => cell(page, name).click(), offered);
  await offered.click();
}

export async function solved(page) {
  await page.locator(".solve").click();
  await page.waitForFunction(
    () => /^(Solved|This is a best|Solution \d)/.test(document.querySelector(".status")?.textContent ?? "") && !document.querySelector(".stopping"),
    null,
    { timeout: 60_000 },
  );
  return page.locator(".status").textContent();
}

/** The file that the menu "Save" writes. */
export async function saved(page, entry) {
  await page.locator(".menu > summary", { hasText: "Save" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".menu-list button", { hasText: entry }).click()]);
  const file = inFolder(`${Math.random()}-${download.suggestedFilename()}`);
  await download.saveAs(file);
  return file;
}

/**
 * The instances that INSTANCES names, separated by commas, or `all`; by default the given ones. An instance has a name,
 * the model, and a file of data if there is one: the smallest instance of the model that has a solution. Models with
 * large tables as data have one in `instances`.
 */
export const instances = (usual) => readdirSync(join(ROOT, "models")).flatMap((file) => {
  const model = file.replace(/\.essence$/, "");
  const text = (name) => readFileSync(join(ROOT, "params", name), "utf8");
  const own = readdirSync(join(ROOT, "params")).filter((name) => name.endsWith(".param") && new RegExp(`^\\$ model: ${model}\\.`, "m").test(text(name)));
  const solvable = own.filter((name) => !/^\$ solutions: 0$/m.test(text(name)));
  const [smallest] = solvable.sort((one, other) => text(one).length - text(other).length);
  const small = join(import.meta.dirname, "instances", `${model}.json`);
  const name = smallest?.replace(/\.param$/, "") ?? model;
  const data = smallest ? [join(ROOT, "params", smallest)] : existsSync(small) ? [small] : [];
  const { INSTANCES = usual.join(",") } = process.env;
  return INSTANCES === "all" || INSTANCES.split(",").includes(name) ? [[name, join(ROOT, "models", file), ...data]] : [];
});

/** The data that the program has put into an app. */
export const heldBy = (file) => JSON.parse(/id="app">([^]*?)<\/script>/.exec(readFileSync(file, "utf8"))[1]);

/** Waits until a change has been examined. */
export const settled = (page) =>
  page.waitForFunction(() => !/^(Looking|The solver is being|$)/.test(document.querySelector(".status")?.textContent ?? ""), null, { timeout: 60_000 });
