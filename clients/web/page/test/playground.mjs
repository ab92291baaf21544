// Actions of tests in the playground.

export const go = (page) => page.locator(".go:visible");
export const tab = (page, name) => page.getByRole("tab", { name }).click();
export const output = (page) => page.locator(".output:visible");

export async function ready(page) {
  await page.waitForFunction(() => document.querySelector(".model .cm-content")?.textContent.length > 10);
  await page.locator(".problems.fine, .problems.error").first().waitFor({ state: "attached" });
  // On the first visit, the model is solved automatically.
  await page.waitForFunction(() => !document.querySelector(".running"));
}

export async function write(page, selector, text) {
  await page.locator(`${selector} .cm-content`).click();
  await paste(page, text);
}

/** Replaces the text of the focused editor. */
export async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
}

/** Opens a model by typing it. */
export async function model(page, text, data = "") {
  await ready(page);
  while ((await page.locator('.instance-box:has([aria-pressed="true"]) .tiny').count()) > 0)
    await page.locator('.instance-box:has([aria-pressed="true"]) .tiny').click();
  await write(page, ".model", text);
  if (data) await write(page, ".data", data);
}
