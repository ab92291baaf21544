// Makes the documentation interactive: listings can be edited, and commands run on their current texts.

import "./served";
import type { Command } from "./commands";
import { announce, button, clear, h, iconButton, picture } from "./dom";
import { checker, Editor } from "./editor";
import { prepare, run, type Run } from "./engine";
import { examples } from "./examples";
import { keepOffline } from "./offline";
import type { ExplainResult, ExploreResult, Failure, Request, SearchResult, Solution, SolveResult, Text } from "../../npm/src/protocol";
import { diagnostics, essence, laboratory, searchTable, statistics } from "./results";
import { addSearch } from "./search";
import { linkTo } from "./sharing";
import { texts } from "./texts";
import { answerTo, exerciseIn } from "./exercise";
import { toggleTheme } from "./theme";
import { DEFAULTS } from "./work";

const LIMIT = 30;

class Listing {
  readonly figure: HTMLElement;
  readonly name: string;
  #text: string;
  #editor: Editor | undefined;

  constructor(figure: HTMLElement) {
    this.figure = figure;
    this.name = figure.dataset.name ?? "";
    this.#text = figure.querySelector("code")?.textContent ?? "";
    const bar = figure.querySelector("figcaption");
    const isModel = figure.dataset.kind === "model";
    bar?.append(button(texts.cells.edit, "quiet small", () => this.edit()));
    if (figure.dataset.run !== undefined) {
      bar?.append(
        runButton(figure, async () => [
          { verb: "solve", model: { name: this.name || "model.essence", text: this.text }, data: [], pictures: true },
        ]),
      );
    }
    if (isModel) bar?.append(button(texts.cells.openHere, "quiet small", () => void openInPlayground(this.name, this.text, [])));
  }

  get text(): string {
    return this.#editor?.text ?? this.#text;
  }

  edit(): void {
    if (this.#editor) return;
    const pre = this.figure.querySelector("pre");
    const box = h("div", { class: "editor" });
    pre?.replaceWith(box);
    this.figure.classList.add("editing");
    const name = this.name || "model.essence";
    const isModel = this.figure.dataset.kind === "model";
    const request = (verb: string): Request => ({ verb, model: { name, text: this.text }, data: [] });
    const check = checker(
      () => request("check"),
      (found) => editor.mark(found),
      `check-${listings.indexOf(this)}`,
    );
    const editor = new Editor(box, this.#text, {
      label: this.name || texts.cells.model,
      name: () => name,
      request,
      onEdits: (edits) => editor.edit(edits),
      ...(isModel ? { onChange: check } : {}),
    });
    this.#editor = editor;
    if (isModel) check();
    editor.focus();
  }
}

let going: Run<unknown> | null = null;

function runButton(
  figure: HTMLElement,
  requests: () => Promise<(Request | null)[]>,
  reveal?: (output: HTMLElement) => void,
): HTMLButtonElement {
  const made = iconButton("play", texts.cells.run, "primary small", () => void start());
  async function start(): Promise<void> {
    if (made.classList.contains("stopping")) {
      going?.stop();
      return;
    }
    const asked = (await requests()).filter((request) => request !== null);
    if (asked.length === 0) return;
    let output = figure.querySelector<HTMLElement>(".live");
    if (!output) {
      output = h("div", { class: "live", tabIndex: 0, role: "region", "aria-label": texts.cells.live, "aria-live": "polite" });
      figure.append(output);
    }
    clear(output);
    reveal?.(output);
    const box = output;
    box.append(h("p", { class: "quiet" }, texts.running(0)));
    let empty = true;
    const add = (...nodes: Node[]) => {
      if (empty) clear(box);
      empty = false;
      box.append(...nodes);
    };
    const label = made.querySelector(".label");
    made.classList.add("stopping");
    if (label) label.textContent = texts.stop;
    for (const request of asked) if (!(await answered(request, add))) break;
    made.classList.remove("stopping");
    if (label) label.textContent = texts.cells.run;
  }
  /** Runs one request and shows its results; `false` if it was stopped. */
  async function answered(request: Request, add: (...nodes: Node[]) => void): Promise<boolean> {
    const mine = run<SolveResult & ExplainResult & SearchResult>({ limit: LIMIT, ...request }, (line) => {
      const one = line as Solution;
      if (one.type !== "solution" || one.number > 50) return;
      if (one.svg) add(h("div", { class: "paper" }, picture(one.svg, texts.solve.pictureOf(one.number))));
      else add(h("pre", {}, essence(one.essence.trim())));
    });
    going = mine;
    const answer = await mine.answer;
    if (!answer) add(h("p", { class: "quiet" }, texts.stopped));
    else if (answer.type === "failure") add(diagnostics((answer as Failure).diagnostics));
    else if (request.verb === "explore") {
      const space = answer as unknown as ExploreResult;
      add(h("p", { class: "verdict" }, texts.explore.says(space, /^\s*(mini|maxi)mi[sz]ing\b/m.test(request.model?.text ?? ""))), ...(space.page ? [laboratory(space.page, texts.explore.frame)] : []));
    } else if (answer.searched) {
      for (const { transcript } of answer.searched) if (transcript) add(h("pre", { class: "plain" }, transcript.trim()));
      add(searchTable(answer.searched), ...(answer.page ? [laboratory(answer.page, texts.search.frame)] : []));
    } else if (answer.text !== undefined) add(h("pre", { class: "plain" }, answer.text.trim()));
    else if (answer.statistics)
      add(h("p", { class: "verdict" }, texts.solve.status(answer.status, answer.solutions, (request.solutions ?? 1) === 1) ?? answer.says), statistics(answer.statistics));
    else add(diagnostics((answer as unknown as Failure).diagnostics ?? []));
    return answer !== null;
  }
  return made;
}

/** The text that a name refers to at an element: the last listing of this name before it, or a file of the examples. */
async function textOf(name: string, at: Element): Promise<Text | null> {
  const before = listings.filter((one) => one.name === name && one.figure.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING);
  const listing = before.at(-1);
  if (listing) return { name, text: listing.text };
  const all = (await examples().catch(() => [])).flatMap((group) => group.examples);
  const base = name.replace(/^.*\//, "");
  const model = all.find((one) => `${one.name}.essence` === base);
  if (model) return { name: base, text: model.model };
  return all.flatMap((one) => one.instances).find((one) => one.name === base) ?? null;
}

async function requestFor(command: Command, at: Element): Promise<Request | null> {
  const model = command.model ? await textOf(command.model, at) : undefined;
  const data = await Promise.all(command.data.map((name) => textOf(name, at)));
  const lettings = command.lettings.map((text, index) => ({ name: index > 0 ? `-D-${index + 1}` : "-D", text }));
  if (model === null || data.includes(null)) {
    announce(texts.cells.missing);
    return null;
  }
  const { picture: drawn, ...options } = command.options;
  const request: Request = { verb: command.verb, ...(model && { model }), data: [...(data as Text[]), ...lettings], ...options };
  if (command.verb === "solve") request.pictures = drawn !== undefined;
  if (command.verb === "search") request.page = options.page === true;
  for (const [member, name] of Object.entries(command.files)) request[member] = await textOf(name, at);
  return request;
}

async function openInPlayground(name: string, model: string, data: Text[]): Promise<void> {
  const work = { name: name.replace(/\.essence$/, ""), model, data, current: 0, settings: DEFAULTS };
  location.href = await linkTo(new URL("../index.html", location.href), work);
}

function consoleOf(figure: HTMLElement): void {
  const asked = JSON.parse(figure.dataset.commands ?? "[]") as Command[];
  const [first] = asked;
  if (!first) return;
  const bar = figure.querySelector("figcaption");
  const recorded = figure.querySelector<HTMLElement>("pre.recorded");
  bar?.append(
    runButton(
      figure,
      () => Promise.all(asked.map((one) => requestFor(one, figure))),
      () => {
        if (recorded) recorded.hidden = true;
      },
    ),
  );
  if (["solve", "why", "hint", "forced"].includes(first.verb)) {
    bar?.append(
      button(texts.cells.openHere, "quiet small", () => {
        void requestFor(first, figure).then((request) => {
          if (!request?.model) return;
          const joined = (request.data ?? []).map(({ text }) => text).join("\n");
          void openInPlayground(
            request.model.name,
            request.model.text,
            joined ? [{ name: request.data?.[0]?.name.replace(/^-D$/, "data.param") ?? "data.param", text: joined }] : [],
          );
        });
      }),
    );
  }
}

const listings: Listing[] = [...document.querySelectorAll<HTMLElement>("figure.listing")].map((figure) => new Listing(figure));
for (const figure of document.querySelectorAll<HTMLElement>("figure.console")) consoleOf(figure);
for (const section of document.querySelectorAll<HTMLElement>("section.answer")) {
  void exerciseIn(section.dataset.exercise ?? "").then((exercise) => exercise && answerTo(section, exercise, section.dataset.name ?? ""));
}
document.querySelector("#theme")?.replaceWith(iconButton("moon", texts.menu.theme, "quiet", toggleTheme, false));
const search = document.querySelector("#search");
if (search) addSearch(search);
const menu = document.querySelector<HTMLDetailsElement>("details.contents");
if (menu && matchMedia("(min-width: 1000px)").matches) menu.open = true;
if (document.querySelector("figure.listing, section.answer")) document.body.addEventListener("pointerdown", prepare, { once: true });
keepOffline();
