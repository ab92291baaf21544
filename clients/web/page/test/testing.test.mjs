// Test cases, mutants, questions and reviews in the playground, in Chromium.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { accessible, becomes, browser, fresh, server, skip, useBrowser } from "./common.mjs";
import { go, model, ready, tab } from "./playground.mjs";

const SCREENSHOTS = join(import.meta.dirname, "screenshots");
if (!skip) mkdirSync(SCREENSHOTS, { recursive: true });
useBrowser();

const ROTA = `given n : int(1..9)
$ Who helps on which day.
find helper : matrix indexed by [int(1..n)] of int(1..3)
such that
    $ Nobody helps on two days in a row.
    forAll day : int(1..n - 1) . helper[day] != helper[day + 1],
    $ Helper 1 is away on the first day.
    helper[1] != 1
`;
const CASES = `
$ case: nobody helps twice in a row
$ with: letting n be 3
$ refuses: letting helper be [2, 2, _]

$ case: the week
$ data: week.param
$ sometimes: helper[2] = 1
`;

const tested = (page) => page.locator(".panel:visible .tested > li");
const lines = (page) => page.locator(".model .cm-content").innerText();

test("test cases run beside the model: passed, failed with a picture and the line to blame, and broken", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, ROTA + CASES + "\n$ case: too strict\n$ with: letting n be 3\n$ accepts: letting helper be [1, 2, 3]\n$ case: too lax\n$ with: letting n be 3\n$ refuses: letting helper be [2, 1, _]\n", "$ solutions: 8\nletting n be 3\n");
  await tab(page, "Test");
  await go(page).click();
  await page.getByText("3 of 5 test cases did not pass.").waitFor();
  const verdicts = async () => (await tested(page).locator(".head").allInnerTexts()).map((one) => one.replace(/\s+/g, " "));
  assert.deepEqual(await verdicts(), ["passed nobody helps twice in a row", "broken the week", "failed too strict", "failed too lax", "passed queens.param"]);
  const failed = tested(page).filter({ hasText: "too strict" });
  await failed.locator(".reason").getByText("helper[1] != 1").waitFor();
  await failed.getByRole("button", { name: "See line 8" }).click();
  await page.locator(".model .cm-line", { hasText: "helper[1] != 1" }).waitFor();
  assert.ok(await tested(page).filter({ hasText: "too lax" }).locator(".picture, .block").first().isVisible());
  await tested(page).filter({ hasText: "the week" }).getByText("week.param").first().waitFor();
  assert.doesNotMatch(await page.locator(".testing").innerText(), /[─│╭╰]/);
  await page.screenshot({ path: join(SCREENSHOTS, "test.png") });
  // Without cases, the page says so.
  await model(page, ROTA, "letting n be 3\n");
  await go(page).click();
  await page.getByText("There are no test cases in the comments").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a file of cases is opened beside the model, and its cases run", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, ROTA, "letting n be 3\n");
  const buffer = Buffer.from("$ model: rota.essence\n" + CASES.split("\n\n")[0]);
  await page.locator('.top input[type="file"]').setInputFiles({ name: "rota-cases.essence", mimeType: "text/plain", buffer });
  await becomes(async () => (await lines(page)).includes("Who helps on which day"), true);
  await tab(page, "Test");
  await go(page).click();
  await tested(page).getByText("nobody helps twice in a row").waitFor();
  assert.equal(await tested(page).locator(".outcome").first().innerText(), "passed");
  // The instance that was selected still is, so the model can be solved.
  assert.match(await page.locator(".data .cm-content").innerText(), /letting n be 3/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a mutant that no case notices is shown with a solution, and its case is added with a key", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, ROTA + CASES.split("\n\n")[0], "letting n be 3\n");
  await tab(page, "Test");
  await page.getByRole("button", { name: "What no test notices" }).focus();
  await page.keyboard.press("Enter");
  const score = page.locator(".testing .verdict", { hasText: /The cases notice \d+ of \d+ mutants/ });
  await score.waitFor();
  const [, noticed, all] = /notice (\d+) of (\d+)/.exec(await score.innerText()).map(Number);
  assert.ok(noticed > 0 && noticed < all, `${noticed} of ${all}`);
  const first = page.locator(".testing > .tested > li", { hasText: "not noticed" }).first();
  await first.getByText(/^Only the mutant (allows|refuses) this:$/).waitFor();
  const wanted = (await first.locator(".block").last().innerText()).trim();
  assert.match(wanted, /^\$ case: /);
  await first.getByRole("button", { name: "Add this case" }).focus();
  await page.keyboard.press("Enter");
  await becomes(async () => (await lines(page)).includes(wanted.split("\n")[0]), true);
  assert.equal(await first.getByRole("button", { name: "Added" }).isDisabled(), true);
  // The results stay, and the new case passes.
  assert.equal(await page.locator(".testing.stale").count(), 0);
  await page.getByRole("button", { name: "What no test notices" }).click();
  await page.locator(".testing .verdict", { hasText: "All 2 test cases passed." }).waitFor();
  await becomes(async () => Number(/notice (\d+) of/.exec(await score.innerText())?.[1]) > noticed, true);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("questions find out which model is meant, by keys, and become test cases", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, ROTA);
  await tab(page, "Compare");
  await page.getByLabel("The other model").fill(ROTA.replace("forAll day : int(1..n - 1) . helper[day] != helper[day + 1]", "allDiff(helper)"));
  await page.getByRole("button", { name: "Another model" }).click();
  await page.getByLabel("Another model, 2").fill(ROTA.replace("int(1..n - 1)", "int(2..n - 1)"));
  await page.getByRole("button", { name: "Ask me" }).first().click();
  await page.getByText("Question 1. 3 models remain.").waitFor();
  await page.getByRole("heading", { name: "Is this allowed?" }).waitFor();
  assert.deepEqual(await page.locator(".replies button").allInnerTexts(), ["Yes", "No", "Cannot happen", "Don’t know"]);
  // The answers follow the first model: equal neighbours are not allowed.
  for (let question = 1; (await page.locator(".replies").count()) > 0; question++) {
    await page.getByText(`Question ${question}.`).waitFor();
    const shown = await page.locator(".asking .block").last().textContent();
    const values = /\[([\d, ]+)/.exec(shown)[1].split(",").map(Number);
    const isAllowed = values[0] !== 1 && values.every((one, at) => at === 0 || one !== values[at - 1]);
    await page.locator(".replies button").first().focus();
    await page.keyboard.press(isAllowed ? "y" : "n");
    await page.getByText(`Question ${question}.`).waitFor({ state: "detached" });
    await page.locator(".asking .replies, .asking .refuted").first().waitFor();
  }
  await page.locator(".asking .verdict").waitFor();
  assert.deepEqual((await page.locator(".refuted li").allInnerTexts()).map((one) => one.replace(/^Answer \d+ refutes /, "")).sort(), ["other-2.essence", "other.essence"]);
  // The last answer can be taken back.
  await page.getByRole("button", { name: "Take the last answer back" }).click();
  await page.locator(".replies").waitFor();
  await page.getByRole("button", { name: "Yes", exact: true }).focus();
  await page.getByRole("button", { name: "Don’t know" }).click();
  await page.getByRole("button", { name: "Take the last answer back" }).waitFor();
  await page.getByRole("button", { name: "Take the last answer back" }).click();
  await page.locator(".replies").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a review shows what a model has gained and lost against another one", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, ROTA, "letting n be 3\n");
  await tab(page, "Compare");
  await page.getByLabel("The other model").fill(ROTA.replace("helper[1] != 1", "helper[1] != 2"));
  await page.getByRole("button", { name: "Review" }).click();
  const compared = page.locator(".comparing");
  await compared.getByText("Of 1 instance: solutions gained on 1, solutions lost on 1.").waitFor();
  await compared.getByRole("heading", { name: "Gained: your model allows this, and the other one refuses it." }).waitFor();
  await compared.getByRole("heading", { name: "Lost: the other model allows this, and yours refuses it." }).waitFor();
  await compared.locator(".reason").getByText("helper[1] != 1").waitFor();
  // Models without a common variable: the advice is a comment, not an option of the command line.
  await page.getByLabel("The other model").fill("given n : int(1..9)\nfind rota : matrix indexed by [int(1..n)] of int(1..3)\n");
  await page.getByRole("button", { name: "Review" }).click();
  await compared.getByText("The solutions of the two versions cannot be compared.").waitFor();
  assert.match(await compared.innerText(), /\$ map: /);
  assert.doesNotMatch(await compared.innerText(), /--map/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("tests, mutants and questions are accessible on a desk and on a telephone, in both themes", { skip }, async () => {
  for (const colorScheme of ["light", "dark"])
    for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      const where = `${viewport.width} ${colorScheme}`;
      const page = await fresh(browser, `${server.url}#example=n-queens/n-queens-4`, { viewport, colorScheme });
      await ready(page);
      if (viewport.width < 700) await page.locator(".views").getByRole("button", { name: "Results" }).click();
      await tab(page, "Test");
      await accessible(page, `the empty part ${where}`);
      await page.getByRole("button", { name: "What no test notices" }).click();
      await page.locator(".testing .paper").first().waitFor();
      await page.waitForFunction(() => !document.querySelector(".running"), null, { timeout: 90_000 });
      await accessible(page, `mutants ${where}`);
      await page.screenshot({ path: join(SCREENSHOTS, `mutants-${where.replace(" ", "-")}.png`) });
      await page.getByRole("button", { name: "Ask me" }).first().click();
      await page.locator(".replies").waitFor({ timeout: 90_000 });
      await accessible(page, `a question ${where}`);
      await page.screenshot({ path: join(SCREENSHOTS, `question-${where.replace(" ", "-")}.png`) });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide ${where}`);
      assert.deepEqual(page.complaints, []);
      await page.context().close();
    }
});

test("a name that another instance has is not given silently", { skip }, async () => {
  const page = await fresh(browser, `${server.url}#example=futoshiki/futoshiki-4`);
  await ready(page);
  const [first, second] = await page.locator(".instance").allInnerTexts();
  page.once("dialog", (asked) => void asked.accept(`${second}.param`));
  await page.locator(".instance").first().dblclick();
  await page.getByText(`There is already an instance ${second}.param, so this one is called`).waitFor();
  assert.notEqual(first, second);
  await page.context().close();
});

test("Solve treats wishes as Play does: they may stay unmet, and the page says which", { skip }, async () => {
  const page = await fresh(browser, server.url);
  await model(page, "find x : int(1..3)\nsuch that\n    $ wish 2: a small one\n    x = 1,\n    $ wish 1: a large one\n    x = 3\n");
  await go(page).click();
  await page.getByText("Not met: a large one.").waitFor();
  await page.getByText("The last solution is a best one.").waitFor();
  await tab(page, "Play");
  await go(page).click();
  await page.locator(".play .status", { hasText: "Not met: a large one." }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
