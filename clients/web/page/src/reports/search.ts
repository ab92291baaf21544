// The page of `search`: steps through one run, or through two side by side.

import { delayed } from "../delayed";
import { copied, dialog, h } from "../dom";
import { keyTable, onKeys } from "../keys";
import { data } from "./network";
import { Pane } from "./pane";

type Action = (pane: Pane) => void;

/** Keyboard actions, with the signs of their keys. */
const KEYS: [what: string, ...keys: [sign: string, key: string, action: Action][]][] = [
  ["one step on", ["→", "ArrowRight", (pane) => pane.move(1)]],
  ["one step back", ["←", "ArrowLeft", (pane) => pane.move(-1)]],
  ["on or back by a single value", [".", ".", (pane) => pane.go(pane.step + 1)], [",", ",", (pane) => pane.go(pane.step - 1)]],
  ["to the next assignment", ["↓", "ArrowDown", (pane) => pane.jump("moves", 1)]],
  ["to the assignment before", ["↑", "ArrowUp", (pane) => pane.jump("moves", -1)]],
  ["to the next dead end", ["d", "d", (pane) => pane.jump("dead", 1)]],
  ["to the dead end before", ["D", "D", (pane) => pane.jump("dead", -1)]],
  ["to the next solution", ["s", "s", (pane) => pane.jump("solutions", 1)]],
  ["play or pause", ["space", " ", (pane) => pane.toggle()]],
  ["faster, slower", ["+", "+", (pane) => pane.faster(1)], ["-", "-", (pane) => pane.faster(-1)]],
  ["to the start, to the end", ["Home", "Home", (pane) => pane.go(0)], ["End", "End", (pane) => pane.go(Infinity)]],
  ["the whole tree, or only what has been searched", ["w", "w", (pane) => pane.toggleWhole()]],
];

function showKeys(): void {
  const rows = KEYS.map(([what, ...keys]): [string[], string] => [keys.map(([sign]) => sign), what]);
  dialog("Keys", "", keyTable([...rows, [["?"], "these keys"]]));
}

function share(): void {
  const address = copied("This address shows this step", location.href.split("#")[0] + fragment(), 2);
  dialog("The same run again", "", data.command ? copied("This command makes the page", data.command, 3) : null, address);
}

const panes: Pane[] = [];
const main = h("main", { id: "panes" });
const two = h("input", { type: "checkbox", onchange: compare });
// A page inside another one has no address to share.
const hidden = location.protocol === "about:" && !data.command;
const header = [
  h("h1", {}, data.title),
  h("label", { class: "check", hidden: data.runs.length < 2 }, two, "compare two runs"),
  h("button", { class: "secondary", hidden, onclick: share }, "Share"),
  h("button", { class: "secondary keyboard", title: "the keys (?)", onclick: showKeys }, "Keys ?"),
];
document.body.append(h("header", {}, ...header), main);

function add(): void {
  const pane = new Pane(panes.length, remember);
  panes.push(pane);
  main.append(pane.element);
}

function compare(): void {
  if (two.checked) add();
  else {
    const gone = panes.pop();
    gone?.stop();
    gone?.element.remove();
  }
  for (const pane of panes) pane.go(pane.step);
}

/** The fragment of the URL for the current view: `#step=70&run=1&two`. */
const fragment = () => `#step=${panes[0].step}&run=${panes[0].index}${panes.length > 1 ? "&two" : ""}`;

const remember = delayed(200, () => {
  try {
    history.replaceState(null, "", fragment());
  } catch {
    // A page inside another one may have no address.
  }
});

function visit(): void {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const whole = (name: string) => Math.trunc(Number(wanted.get(name))) || 0;
  const run = Math.max(0, Math.min(whole("run"), data.runs.length - 1));
  if (wanted.has("run") && run !== panes[0].index) panes[0].load(run);
  if (wanted.has("two") !== two.checked && data.runs.length > 1) two.click();
  panes[0].go(whole("step"));
}

const actions = KEYS.flatMap(([, ...keys]) => keys).map(([, key, action]): [string, () => void] => [key, () => panes.forEach(action)]);
onKeys({ ...Object.fromEntries(actions), "=": () => panes.forEach((pane) => pane.faster(1)), "?": showKeys });
addEventListener("hashchange", visit);
const draw = delayed(100, () => panes.forEach((pane) => pane.draw()));
addEventListener("resize", draw);
add();
visit();
