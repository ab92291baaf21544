// Answers of the engine as elements, for the page and for cells.

import { clear, h, picture } from "./dom";
import { explained } from "./editor";
import type { Change, Diagnostic, Explanation, Finding, Place, Reason, Refusal, Searched, Solution, Statistics, Step } from "./protocol";
import { texts } from "./texts";
import { onTheme, theme } from "./theme";
import { tokens } from "./tokens";

export interface Hooks {
  /** Marks places in the texts while they are pointed at, and reveals them when they are clicked. */
  show?(places: Place[], reveal: boolean): void;
  tryOut?(change: Change): void;
}

/** Essence in colours. */
export function essence(text: string): HTMLElement {
  const code = h("code", { class: "essence" });
  for (const token of tokens(text)) code.append(token.kind ? h("span", { class: `tok-${token.kind}` }, token.text) : token.text);
  return code;
}

function pointing(element: HTMLElement, places: Place[], hooks: Hooks): HTMLElement {
  if (!hooks.show || places.length === 0) return element;
  element.addEventListener("pointerenter", () => hooks.show?.(places, false));
  element.addEventListener("pointerleave", () => hooks.show?.([], false));
  element.addEventListener("click", () => hooks.show?.(places, true));
  return element;
}

export function diagnostics(list: Diagnostic[], hooks: Hooks = {}): HTMLElement {
  return h(
    "ul",
    { class: "diagnostics" },
    ...list.map((diagnostic) => {
      const place = diagnostic.labels[0];
      const where = place
        ? pointing(h("button", { type: "button", class: "where" }, texts.place(place.file, place.line)), [place], hooks)
        : null;
      return h(
        "li",
        { class: diagnostic.severity },
        explained(diagnostic),
        h("div", { class: "origin" }, diagnostic.code ? h("span", { class: "code" }, diagnostic.code) : null, where),
      );
    }),
  );
}

const PARTS = /"(?:\\.|[^"\\])*"|[\p{L}\p{N}_']+|-->|[^\s]/gu;

/** A value in which the parts that differ from another value are marked. */
export function difference(value: string, other: string | undefined): HTMLElement {
  if (other === undefined || other === value) return essence(value);
  const code = h("code", { class: "essence" });
  const mine = [...value.matchAll(PARTS)];
  const theirs = [...other.matchAll(PARTS)].map(([part]) => part);
  if (mine.length !== theirs.length) {
    code.append(h("mark", {}, value));
    return code;
  }
  let end = 0;
  for (const [index, match] of mine.entries()) {
    code.append(value.slice(end, match.index));
    code.append(match[0] === theirs[index] ? match[0] : h("mark", {}, match[0]));
    end = match.index + match[0].length;
  }
  return code;
}

export function solution(one: Solution, before: Solution | undefined): HTMLElement {
  const box = h("div", { class: "solution" });
  if (one.svg) box.append(h("div", { class: "paper" }, picture(one.svg, texts.solve.pictureOf(one.number))));
  const differing = before ? Object.keys(one.values).filter((name) => one.values[name] !== before.values[name]) : [];
  if (before) box.append(h("p", { class: "quiet" }, texts.solve.differs(before.number, differing)));
  const list = h("dl", { class: "values" });
  for (const [name, value] of Object.entries(one.values))
    list.append(h("dt", {}, name), h("dd", {}, difference(value, before?.values[name])));
  box.append(list);
  return box;
}

export function statistics(given: Statistics): HTMLElement {
  const rows = given.phases.map(({ phase, seconds, counts }) =>
    h(
      "tr",
      {},
      h("th", { attributes: { scope: "row" } }, phase),
      h("td", { class: "number" }, texts.seconds(seconds)),
      h(
        "td",
        {},
        Object.entries(counts)
          .map(([name, count]) => `${texts.number(count)} ${name}`)
          .join(", "),
      ),
    ),
  );
  return h(
    "details",
    { class: "statistics" },
    h("summary", {}, texts.solve.statistics, h("span", { class: "quiet" }, ` ${given.solver}, ${texts.seconds(given.seconds)}`)),
    given.method ? h("p", { class: "quiet" }, given.method) : null,
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...texts.solve.statisticsColumns.map((column) => h("th", { attributes: { scope: "col" } }, column)))),
      h("tbody", {}, ...rows),
    ),
  );
}

function findings(list: Finding[]): HTMLElement | null {
  if (list.length === 0) return null;
  return h(
    "ul",
    { class: "findings" },
    ...list.map((one) =>
      h(
        "li",
        {},
        essence(one.says),
        texts.why.comesTo(one.is),
        one.with ? h("span", { class: "with" }, ` ${one.with}`) : null,
        one.because ? ` ${one.because}` : null,
      ),
    ),
  );
}

function prose(text: string): HTMLElement {
  const span = h("span", {});
  for (const part of text.split(/(`[^`]+`)/)) span.append(part.startsWith("`") && part.length > 2 ? essence(part.slice(1, -1)) : part);
  return span;
}

/** Requirements are constraints, or sentences about domains with the names in backquotes. */
const said = (text: string) =>
  /`|^(each|the|all|every) | (is|are) (not|at|in|one|undefined|defined) /.test(text) ? prose(text) : essence(text);

function reasons(list: Reason[], hooks: Hooks, first = 1): HTMLElement {
  const items = list.map((reason) => {
    const row = pointing(
      h(
        "button",
        { type: "button", class: "reason", disabled: reason.places.length === 0 || !hooks.show },
        said(reason.says),
        reason.with ? h("span", { class: "with" }, reason.with) : null,
      ),
      reason.places,
      hooks,
    );
    const instances = reason.instances?.map((one) =>
      h("li", {}, said(one.says), one.with ? h("span", { class: "with" }, ` ${one.with}`) : null, findings(one.comes_to)),
    );
    return h(
      "li",
      {},
      row,
      findings(reason.comes_to),
      instances ? h("details", {}, h("summary", {}, texts.why.instances(instances.length)), h("ul", {}, ...instances)) : null,
    );
  });
  return h("ol", { class: "reasons", start: first }, ...items);
}

export function explanation(answer: Explanation, hooks: Hooks, solutionText?: string): HTMLElement {
  const box = h("div", { class: "explanation" });
  if (answer.says) box.append(h("p", { class: "verdict" }, prose(answer.says)));
  if (answer.reasons?.length) box.append(reasons(answer.reasons, hooks));
  for (const note of answer.notes ?? []) box.append(h("p", { class: "quiet" }, prose(note)));
  if (answer.reasons?.length && answer.minimal && answer.reasons.length > 1) box.append(h("p", { class: "quiet" }, texts.why.minimal));
  if (answer.changes?.length) {
    const items = answer.changes.map((change) =>
      h(
        "li",
        {},
        pointing(h("span", { class: "change" }, prose(change.says)), [change.place], hooks),
        hooks.tryOut
          ? h("button", { type: "button", class: "small", on: { click: () => hooks.tryOut?.(change) } }, texts.why.tryOut)
          : null,
      ),
    );
    box.append(h("h3", {}, answer.verdict === "best" ? texts.why.betterChanges : texts.why.changes), h("ul", { class: "changes" }, ...items));
  }
  if (solutionText) box.append(h("h3", {}, texts.why.solution), h("pre", { class: "block" }, essence(solutionText)));
  return box;
}

/** The lines of data or of a solution that are not comments, as a block. */
export function block(text: string): HTMLElement {
  const lines = text.split("\n").filter((line) => line.trim() && !/^(\$|language)/.test(line));
  return h("pre", { class: "block" }, essence(lines.join("\n")));
}

/** Why a model refuses a solution. */
export function refusal(because: Refusal, hooks: Hooks = {}): HTMLElement {
  return because.answer ? explanation(because.answer, hooks) : diagnostics(because.diagnostics ?? [], hooks);
}

export function step(one: Step, hooks: Hooks): HTMLElement {
  return h(
    "div",
    { class: "step" },
    h("p", { class: "conclusion" }, said(one.says)),
    h("ul", { class: "because" }, ...one.because.map((line) => h("li", {}, prose(line)))),
    one.reasons.length > 0 ? h("details", { open: true }, h("summary", {}, texts.hint.uses), reasons(one.reasons, hooks)) : null,
  );
}

export function searchTable(list: Searched[]): HTMLElement {
  const most = Math.max(...list.map(({ nodes }) => nodes), 1);
  const rows = list.map((one) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${Math.max(1, (100 * one.nodes) / most)}%`;
    const numbers = [one.nodes, one.dead_ends, one.checks, one.prunings].map((count, index) =>
      h("td", { class: "number" }, texts.number(count), index === 0 ? bar : null),
    );
    return h(
      "tr",
      {},
      h("th", { attributes: { scope: "row" } }, one.strategy),
      ...numbers,
      h("td", { class: "number" }, texts.seconds(one.seconds)),
      h("td", {}, texts.search.verdict(one.verdict)),
    );
  });
  const head = texts.search.columns.map((column) => h("th", { attributes: { scope: "col" } }, column));
  return h(
    "div",
    { class: "scrolled", tabIndex: 0, attributes: { role: "region", "aria-label": texts.search.table } },
    h("table", { class: "comparison" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
  );
}

/** The laboratory's page has scripts of its own. It lives in a frame without an origin, inside a frame whose policy allows them. */
export function laboratory(page: string, title: string): HTMLIFrameElement {
  const outer = h("iframe", { class: "laboratory", title, src: new URL("../laboratory.html", import.meta.url).href });
  outer.addEventListener("load", () => {
    const body = outer.contentDocument?.body;
    if (!body) return;
    clear(body);
    const inner = body.ownerDocument.createElement("iframe");
    inner.title = title;
    inner.setAttribute("sandbox", "allow-scripts");
    inner.srcdoc = page.replace("<html ", `<html data-theme="${theme()}" `);
    body.append(inner);
    onTheme((theme) => inner.contentWindow?.postMessage({ theme }, "*"));
  });
  return outer;
}

export function copy(text: string): Promise<void> {
  return navigator.clipboard.writeText(text);
}

export function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
