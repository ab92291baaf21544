// Renders answers of the engine, for the page and for cells.

import { clear, h, picture, scrolled, table } from "./dom";
import { explained } from "./editor";
import type { Change, Diagnostic, Difference, Explanation, Finding, Place, Reason, Refusal, Searched, Solution, Statistics, Step } from "../../npm/src/protocol";
import { texts } from "./texts";
import { onTheme, theme } from "./theme";
import { tokens } from "./tokens";

export interface Hooks {
  /** Marks places in the texts on hover, and reveals them on click. */
  show?(places: Place[], reveal: boolean): void;
  tryOut?(change: Change): void;
}

/** Essence with syntax colours. */
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
  const item = (one: Diagnostic) => {
    const [place] = one.labels;
    const where = place && pointing(h("button", { class: "where" }, texts.place(place.file, place.line)), [place], hooks);
    const origin = h("div", { class: "origin" }, one.code && h("span", { class: "code" }, one.code), where);
    return h("li", { class: one.severity }, explained(one), origin);
  };
  return h("ul", { class: "diagnostics" }, ...list.map(item));
}

const PARTS = /"(?:\\.|[^"\\])*"|[\p{L}\p{N}_']+|-->|[^\s]/gu;

/** A value with the parts marked that differ from another value. */
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

export function statistics({ phases, method, solver, seconds }: Statistics): HTMLElement {
  const written = (counts: { [name: string]: number }) => Object.entries(counts).map(([name, count]) => `${texts.number(count)} ${name}`);
  const rows = phases.map(({ phase, seconds, counts }) => [phase, texts.seconds(seconds), written(counts).join(", ")]);
  const about = h("span", { class: "quiet" }, ` ${solver}, ${texts.seconds(seconds)}`);
  const summary = h("summary", {}, texts.solve.statistics, about);
  const shown = table(texts.solve.statisticsColumns, rows, [1, 1]);
  return h("details", { class: "statistics" }, summary, method && h("p", { class: "quiet" }, method), shown);
}

/** The values of the quantified names. */
const bindings = (text: string) => text && h("span", { class: "with" }, text);

function findings(list: Finding[]): HTMLElement | null {
  const item = ({ says, is, with: names, because }: Finding) =>
    h("li", {}, essence(says), texts.why.comesTo(is), bindings(names && ` ${names}`), because && ` ${because}`);
  return list.length > 0 ? h("ul", { class: "findings" }, ...list.map(item)) : null;
}

export function prose(text: string): HTMLElement {
  const span = h("span", {});
  for (const part of text.split(/(`[^`]+`)/)) span.append(part.startsWith("`") && part.length > 2 ? essence(part.slice(1, -1)) : part);
  return span;
}

/** Renders a requirement: a constraint, or a sentence about domains with names in backquotes. */
const said = (text: string) =>
  /`|^(each|the|all|every) | (is|are) (not|at|in|one|undefined|defined) /.test(text) ? prose(text) : essence(text);

function reasons(list: Reason[], hooks: Hooks): HTMLElement {
  const items = list.map(({ says, with: names, words, places, comes_to, instances }) => {
    const row = h("button", { class: "reason", disabled: places.length === 0 || !hooks.show }, said(says), bindings(names));
    const each = instances?.map((one) => h("li", {}, said(one.says), bindings(one.with && ` ${one.with}`), findings(one.comes_to)));
    const details = each && h("details", {}, h("summary", {}, texts.why.instances(each.length)), h("ul", {}, ...each));
    return h("li", {}, words && h("p", {}, prose(words)), pointing(row, places, hooks), findings(comes_to), details);
  });
  return h("ol", { class: "reasons" }, ...items);
}

export function explanation(answer: Explanation, hooks: Hooks, solutionText?: string): HTMLElement {
  const box = h("div", { class: "explanation" });
  if (answer.says) box.append(h("p", { class: "verdict" }, prose(answer.says)));
  if (answer.reasons?.length) box.append(reasons(answer.reasons, hooks));
  for (const note of answer.notes ?? []) box.append(h("p", { class: "quiet" }, prose(note)));
  if (answer.reasons?.length && answer.minimal && answer.reasons.length > 1) box.append(h("p", { class: "quiet" }, texts.why.minimal));
  if (answer.changes?.length) {
    const items = answer.changes.map((change) => {
      const tryOut = hooks.tryOut && h("button", { class: "small", onclick: () => hooks.tryOut?.(change) }, texts.why.tryOut);
      return h("li", {}, pointing(h("span", { class: "change" }, prose(change.says)), [change.place], hooks), tryOut);
    });
    box.append(h("h3", {}, answer.verdict === "best" ? texts.why.betterChanges : texts.why.changes), h("ul", { class: "changes" }, ...items));
  }
  if (solutionText) box.append(h("h3", {}, texts.why.solution), h("pre", { class: "block" }, essence(solutionText)));
  return box;
}

/** A block with the lines of data or of a solution, without comments. */
export function block(text: string): HTMLElement {
  const lines = text.split("\n").filter((line) => line.trim() && !/^(\$|language)/.test(line));
  return h("pre", { class: "block" }, essence(lines.join("\n")));
}

/** A solution: its drawing if there is one, and its text. */
export function candidate(solution: string, svg?: string | null): Node[] {
  return svg ? [h("div", { class: "paper" }, picture(svg, texts.solve.picture)), h("details", {}, h("summary", {}, texts.solve.asText), block(solution))] : [block(solution)];
}

/** The headings of a difference between two models. */
interface DifferenceWords {
  allows: string;
  refuses: string;
  objective: string;
  /** Above the reasons of the model that refuses the solution: the own model, or the other one. */
  otherSays: string;
  yoursSays: string;
  objectives(own: string | null, other: string | null): string;
}

/** A difference between two models: a solution, and why one of them refuses it. */
export function differing({ kind, solution, svg, because, objectives }: Difference, words: DifferenceWords, hooks: Hooks): Node[] {
  return [
    h("h3", {}, words[kind]),
    ...candidate(solution, svg),
    ...(because ? [h("h3", {}, kind === "allows" ? words.otherSays : words.yoursSays), refusal(because, hooks)] : []),
    ...(objectives ? [h("p", {}, words.objectives(...objectives))] : []),
  ];
}

/** Explains why a model rejects a solution. */
export function refusal(because: Refusal, hooks: Hooks = {}): HTMLElement {
  return because.answer ? explanation(because.answer, hooks) : diagnostics(because.diagnostics ?? [], hooks);
}

export function step(one: Step, hooks: Hooks): HTMLElement {
  const because = h("ul", { class: "because" }, ...one.because.map((line) => h("li", {}, prose(line))));
  const uses = one.reasons.length > 0 && h("details", { open: true }, h("summary", {}, texts.play.uses), reasons(one.reasons, hooks));
  return h("div", { class: "step" }, h("p", { class: "conclusion" }, said(one.says)), because, uses);
}

export function searchTable(list: Searched[]): HTMLElement {
  const most = Math.max(...list.map(({ nodes }) => nodes), 1);
  const rows = list.map((one) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${Math.max(1, (100 * one.nodes) / most)}%`;
    const nodes = h("span", {}, texts.number(one.nodes), bar);
    const counts = [one.dead_ends, one.checks, one.prunings].map(texts.number);
    return [one.strategy, nodes, ...counts, texts.seconds(one.seconds), texts.search.verdict(one.verdict)];
  });
  return scrolled(texts.search.table, "", table(texts.search.columns, rows, [1, 5], "comparison"));
}

/** The typefaces of this page as rules that contain them, for a frame that can load nothing. */
async function typefaces(): Promise<string> {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const contained = async (rule: CSSRule): Promise<string> => {
    const [, file] = /url\("?([^")]+)"?\)/.exec(rule.cssText) ?? [];
    if (!file) return "";
    const font = await (await fetch(new URL(file, rule.parentStyleSheet?.href ?? location.href))).arrayBuffer();
    const letters = Array.from(new Uint8Array(font), (byte) => String.fromCharCode(byte)).join("");
    return rule.cssText.replace(/url\([^)]*\)/, `url("data:font/woff2;base64,${btoa(letters)}")`);
  };
  const faces = await Promise.all(rules.filter((one) => one instanceof CSSFontFaceRule).map(contained));
  return `<style>${faces.join("\n")}</style>`;
}

/**
 * The page of the laboratory runs scripts. It is in a frame without an origin, inside a frame whose policy allows them.
 */
export function laboratory(page: string, title: string): HTMLIFrameElement {
  const outer = h("iframe", { class: "laboratory", title, src: new URL("../laboratory.html", import.meta.url).href });
  const letters = typefaces().catch(() => "");
  outer.addEventListener("load", async () => {
    const face = await letters;
    const body = outer.contentDocument?.body;
    if (!body) return;
    clear(body);
    const inner = body.ownerDocument.createElement("iframe");
    inner.title = title;
    inner.setAttribute("sandbox", "allow-scripts");
    inner.srcdoc = page.replace("<html ", `<html data-theme="${theme()}" `).replace("default-src 'none'", "default-src 'none'; font-src data:").replace("</head>", `${face}</head>`);
    body.append(inner);
    onTheme((theme) => inner.contentWindow?.postMessage({ essenceTheme: theme }, "*"));
  });
  return outer;
}

export function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
