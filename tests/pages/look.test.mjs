// The common look of all pages: readable for everyone in light and dark, named drawings, and nothing wider than a
// telephone.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { accessible, place, run, skip } from "./common.mjs";

const made = {};
const pages = place(() => {
  const html = (name) => (made[name] = pages.at(`${name}.html`));
  run("search", "models/n-queens.essence", "-D", "letting n be 6", "--compare=fc,bt", "--html", html("search"));
  run("search", "models/map-colouring.essence", "params/map-colouring-australia.param", "--html", html("search-graph"));
  run("search", "models/golomb-ruler.essence", "params/golomb-ruler-4.param", "--html", html("search-objective"));
  run("explore", "models/n-queens.essence", "-D", "letting n be 6", "--html", html("explore-queens"));
  run("explore", "models/latin-square.essence", "params/latin-square-4.param", "--html", html("explore"));
  run("profile", "models/futoshiki.essence", "params/futoshiki-9-hard.param", "--html", html("profile"));
  writeFileSync(html("picture"), run("solve", "models/n-queens.essence", "-D", "letting n be 4", "--number-of-solutions=all", "--picture=html"));
  submissions();
  run("grade", "course/1-first-constraints/1-coins", pages.at("submissions"), "-o", pages.at("grades"));
  made.grade = pages.at("grades", "grades.html");
  made.feedback = pages.at("grades", "feedback", "no-count.html");
  const plan = pages.write("plan.toml", PLAN);
  run("campaign", "run", plan);
  run("campaign", "report", plan, "-o", html("campaign"));
});

const PLAN = `time = 20

[[instances]]
name = "queens"
model = "queens.essence"
parameters = "*.param"

[settings]
one = "--solver=cadical"
two = "--solver=batsat"
`;

function submissions() {
  const own = pages.at("submissions");
  mkdirSync(own);
  for (const file of readdirSync("course/1-first-constraints/1-coins/wrong").filter((name) => name.endsWith(".essence")))
    cpSync(join("course/1-first-constraints/1-coins/wrong", file), join(own, file));
  pages.write("queens.essence", "given n : int(1..)\nfind q : matrix indexed by [int(1..n)] of int(1..n)\nsuch that allDiff(q)\n");
  for (const n of [3, 4, 5]) pages.write(`${n}.param`, `letting n be ${n}\n`);
}

/** The contrast of two colours by the definition of WCAG. */
const CONTRAST = (colours) => {
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = colours.map(luminance).sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
};

for (const colorScheme of ["light", "dark"])
  test(`everybody can read the pages in ${colorScheme}, on a desk and on a telephone`, { skip }, async () => {
    for (const [name, path] of Object.entries(made))
      for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
        const page = await pages.open(path, { colorScheme, viewport });
        const where = `${name} ${colorScheme} ${viewport.width}`;
        await page.waitForTimeout(50);
        await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
        if (name.startsWith("search")) await page.getByLabel("step", { exact: true }).fill("7");
        await accessible(page, where);
        const [wide, nameless] = await page.evaluate(() => [
          document.documentElement.scrollWidth - innerWidth,
          [...document.querySelectorAll("svg")].filter((svg) => !svg.closest("[hidden], [aria-hidden=true], [role=img][aria-label], [role=group][aria-label]")).map((svg) => svg.outerHTML.slice(0, 200)),
        ]);
        assert.ok(wide <= 0, `${where} is ${wide} pixels too wide`);
        assert.deepEqual(nameless, [], `${where}: drawings without names`);
        assert.deepEqual(page.complaints, [], where);
        await page.context().close();
      }
  });

test("all pages have the colours and the letters of the shared style", { skip }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    const looks = new Set();
    for (const path of Object.values(made)) {
      const page = await pages.open(path, { colorScheme });
      looks.add(await page.evaluate(() => {
        const [body, title] = [getComputedStyle(document.body), getComputedStyle(document.querySelector("h1"))];
        return [body.color, body.backgroundColor, body.fontFamily, title.fontFamily, title.fontWeight].join("; ");
      }));
      // A page that embeds this one can choose the theme.
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), colorScheme === "dark" ? "light" : "dark");
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.ok(![...looks].some((look) => look.includes(ground)), `${path} follows the page around it`);
      await page.context().close();
    }
    assert.equal(looks.size, 1, [...looks].join("\n"));
  }
});

test("queens can be seen on their squares in both themes", { skip }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await pages.open(made["explore-queens"], { colorScheme });
    await page.getByRole("button", { name: "The next solution" }).click();
    const colours = await page.locator(".value.sure .queen").first().evaluate((queen) => {
      const box = queen.getBoundingClientRect();
      const under = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2).find((one) => one.tagName === "rect" && !one.closest(".slot"));
      return [getComputedStyle(queen).fill, getComputedStyle(under).fill];
    });
    const contrast = CONTRAST(colours);
    assert.ok(contrast >= 3, `${colours.join(" on ")}: ${contrast}`);
    await page.context().close();
  }
});

test("the bars of a profile are as long as their shares", { skip }, async () => {
  const page = await pages.open(made.profile, { viewport: { width: 1280, height: 900 } });
  const bars = await page.locator("td:has(.bar)").evaluateAll((cells) => cells.map((cell) => {
    const [bar, fill] = [cell.querySelector(".bar"), cell.querySelector(".bar i")].map((one) => one.getBoundingClientRect().width);
    return [cell.cellIndex, Number(cell.textContent), fill / bar];
  }));
  assert.ok(bars.length > 4, `${bars.length} bars`);
  const [, clauses, learnt] = /([\d,]+) clauses, ([\d,]+) learnt/.exec(await page.locator("main > p").first().textContent()).map((text) => Number(text.replaceAll(",", "")));
  for (const [column, count, share] of bars) {
    const whole = [learnt, clauses][column];
    assert.ok(Math.abs(share - Math.max(0.02, Math.min(1, count / whole))) < 0.011, `${count} of ${whole} has a bar of ${share}`);
  }
  await page.context().close();
});
