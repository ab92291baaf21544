// The page: texts on the left, results on the right.

import "./served";
import type { Bench } from "./bench";
import type { BlocksPane } from "./blocks/pane";
import { announce, button, clear, dialog, h, icon, iconButton } from "./dom";
import { isTable } from "./app/domains";
import { prose } from "./app/prose";
import { DataForm } from "./dataform";
import { delayed } from "./delayed";
import { divider } from "./divider";
import { checker, Editor } from "./editor";
import { ask, prepare } from "./engine";
import { exampleWork } from "./examples";
import { keepPresent, keepVersion, present } from "./history";
import { chooseExample, share, showHistory, showSettings } from "./menus";
import { keepOffline } from "./offline";
import { fitToPaper } from "./paper";
import { ResultPane } from "./pane";
import { comparePart } from "./parts/compare";
import { evaluatePart } from "./parts/evaluate";
import { explorePart } from "./parts/explore";
import { searchPart } from "./parts/search";
import { playPart } from "./parts/play";
import { solvePart } from "./parts/solve";
import { testPart } from "./parts/test";
import { whyPart } from "./parts/why";
import type { Change, Diagnostic, Edit, Place, Text } from "../../npm/src/protocol";
import { save } from "./results";
import { fromFragment } from "./sharing";
import { keep, kept } from "./storage";
import { texts } from "./texts";
import { toggleTheme } from "./theme";
import { DEFAULTS, FIRST, fileName, freeName, modelName, requestOf, type Work } from "./work";
import { hasEnding, TABLES, tablesIn, WORKBOOKS } from "./workbook";

const EMPTY: Work = { name: "", model: "", data: [], current: 0, settings: { ...DEFAULTS } };
let work: Work = EMPTY;
let model: Editor;
let data: Editor;
/** The work before a repair was tried. */
let original: Work | null = null;
let diagnosed: Diagnostic[] = [];

// ---- The frame ----

const title = h("input", { class: "title", type: "text", spellcheck: false, maxLength: 80, "aria-label": texts.name });
title.addEventListener("change", () => {
  work.name = title.value.trim();
  changed();
});
const instances = h("div", { class: "instances", role: "group", "aria-label": texts.data.instances });
const splitting = h("div", { class: "splitting" });
const modelBox = h("div", { class: "editor" });
const dataBox = h("div", { class: "editor" });
const dataForm = new DataForm({
  request: (verb) => requestOf(work, verb),
  text: () => work.data[work.current]?.text ?? "",
  name: () => dataName(),
  change: (text) => data.change(text, true),
});
/** The storage key of the view of the data. */
const DATA_VIEW = "essence.data-view";
const dataViews = h("div", { class: "data-views", role: "group", "aria-label": texts.data.view });
const undoButton = iconButton("undo", texts.data.undo, "quiet tiny", () => void dataForm.step(data.undo), false);
const redoButton = iconButton("redo", texts.data.redo, "quiet tiny", () => void dataForm.step(data.redo), false);
const dataSteps = h("div", { class: "data-steps", role: "group", "aria-label": texts.data.steps }, undoButton, redoButton);
const blocksBox = h("div", { class: "blocks-box", hidden: true });
const modelViews = h("div", { class: "model-views", role: "group", "aria-label": texts.model.view });
const modelUndo = iconButton("undo", texts.data.undo, "quiet tiny", () => void model.undo(), false);
const modelRedo = iconButton("redo", texts.data.redo, "quiet tiny", () => void model.redo(), false);
const modelSteps = h("div", { class: "model-steps", role: "group", "aria-label": texts.model.steps, hidden: true }, modelUndo, modelRedo);
let blocks: BlocksPane | undefined;
const format = iconButton("format", texts.model.format, "quiet small", () => void model.format());
const problems = h("p", { class: "problems", role: "status" });
const banner = h("div", { class: "banner", hidden: true });
const results = new ResultPane([solvePart, playPart, whyPart, testPart, explorePart, searchPart, evaluatePart, comparePart], () => {
  keepVersion(work);
  turnView("result");
});
const views = h("nav", { class: "views", "aria-label": texts.views });
const file = h("input", {
  type: "file",
  multiple: true,
  accept: [".essence,.model,.eprime,.param,.json,.solution,.txt", ...TABLES, ...WORKBOOKS].join(),
  hidden: true,
  "aria-label": texts.menu.open,
});
file.addEventListener("change", () => void openFiles([...(file.files ?? [])]).then(() => (file.value = "")));

// The editors handle these keys themselves.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) void results.run();
});

/** Elements that have their own undo, and those that change things other than data. */
const OWN_UNDO = "input:not([type=checkbox]), textarea, .cm-editor, .result, dialog";
document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key) || dataForm.element.hidden || (event.target as Element).closest(OWN_UNDO)) return;
  event.preventDefault();
  void dataForm.step(key === "y" || event.shiftKey ? data.redo : data.undo);
});

function frame(): void {
  const word = h("span", { class: "word" }, texts.brand);
  const brand = h("a", { class: "brand", href: "./", "aria-label": texts.home }, h("span", { class: "mark", "aria-hidden": "true" }), word);
  const learn = { class: "quiet link", href: "docs/tutorial.html", title: texts.menu.learn };
  const menu = [
    iconButton("new", texts.menu.new, "quiet", () => (openWork(EMPTY, true), model.focus())),
    iconButton("grid", texts.menu.examples, "quiet", () => chooseExample((one) => openWork(one, true))),
    iconButton("share", texts.menu.share, "quiet", () => (keepVersion(work), void share(work))),
    iconButton("open", texts.menu.open, "quiet", () => file.click()),
    iconButton("save", texts.menu.save, "quiet", saveFiles),
    iconButton("history", texts.menu.history, "quiet", () => showHistory((one) => openWork(one, true))),
    h("a", learn, icon("book"), h("span", { class: "label" }, texts.menu.learn)),
    iconButton("settings", texts.menu.settings, "quiet bare", () => showSettings(work, changed), texts.menu.settings.split(" ")[0]),
    iconButton("moon", texts.menu.theme, "quiet bare", toggleTheme, texts.menu.theme.split(":")[0]),
  ];
  const header = h("header", { class: "top" }, brand, title, h("nav", { class: "menu", "aria-label": texts.menu.name }, ...menu), file);
  const pane = (kind: string, name: string, boxes: HTMLElement[], ...head: HTMLElement[]) =>
    h("section", { class: `${kind} pane`, "aria-label": name }, h("div", { class: "pane-head" }, h("h2", {}, name), ...head), ...boxes);
  const modelPane = pane("model", texts.model.name, [modelBox, blocksBox], problems, modelSteps, format, modelViews);
  const dataPane = pane("data", texts.data.name, [dataBox, dataForm.element], instances, splitting, dataSteps, dataViews);
  const main = h(
    "main",
    { class: "bench", "data-view": "model" },
    h("h1", { class: "hidden" }, texts.pageTitle),
    h("div", { class: "texts" }, banner, modelPane, divider("row"), dataPane),
    divider("column"),
    results.element,
  );
  for (const [view, label] of texts.viewNames) views.append(h("button", { onclick: () => turnView(view), "data-view": view }, label));
  views.append(results.runButton());
  document.body.append(header, main, views);
  for (const [view, name] of [["text", texts.data.asText], ["form", texts.data.asForm]] as const)
    dataViews.append(h("button", { class: "view", onclick: () => showDataAs(view), "data-view": view }, name));
  for (const [view, name] of [["text", texts.model.asText], ["blocks", texts.model.asBlocks]] as const)
    modelViews.append(h("button", { class: "view", onclick: () => void showModelAs(view), "data-view": view, "aria-pressed": String(view === "text") }, name));
  showDataAs(kept(DATA_VIEW) === "form" ? "form" : "text");
  turnView("model");
}

/** Shows the data as text or as a form. */
function showDataAs(view: "text" | "form"): void {
  dataBox.hidden = view === "form";
  dataForm.element.hidden = dataSteps.hidden = view === "text";
  for (const one of dataViews.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one.dataset.view === view));
  keep(DATA_VIEW, view);
  if (view === "form") void dataForm.show();
}

/** Shows the model as text or as blocks, which are loaded on first use. */
async function showModelAs(view: "text" | "blocks"): Promise<void> {
  modelBox.hidden = view === "blocks";
  blocksBox.hidden = modelSteps.hidden = view === "text";
  format.hidden = view === "blocks";
  for (const one of modelViews.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one.dataset.view === view));
  if (view === "text") return;
  if (!blocks) {
    blocksBox.replaceChildren(h("p", { class: "quiet" }, texts.model.loading));
    const loaded = await import("./blocks/pane").catch(() => null);
    if (!loaded) return blocksBox.replaceChildren(h("p", { class: "quiet" }, texts.model.unloaded));
    blocks ??= new loaded.BlocksPane({ text: () => model.text, change: (text) => model.change(text), request: (verb) => requestOf(work, verb) });
    blocksBox.replaceChildren(blocks.element);
  }
  await blocks.show();
}

/** On small screens only one view is visible. */
function turnView(view: string): void {
  document.querySelector("main")?.setAttribute("data-view", view);
  for (const choose of views.querySelectorAll<HTMLButtonElement>("button[data-view]")) choose.setAttribute("aria-pressed", String(choose.dataset.view === view));
}

// ---- Runs ----

const bench: Bench = {
  get work() {
    return work;
  },
  solution: null,
  request: (verb) => requestOf(work, verb),
  start(request, onLine) {
    show([], false);
    return results.start(request, onLine);
  },
  enough: () => results.enough(),
  show,
  tryOut,
  add(lines) {
    model.change(`${model.text.trimEnd()}\n\n${lines.trim()}\n`);
    announce(texts.test.added);
  },
  turnTo(id) {
    results.turnTo(id);
    void results.run();
  },
  changed,
  keep: () => store(),
};

// ---- Texts ----

function editors(): void {
  const around = (label: string, name: () => string, onChange: () => void) => ({
    label,
    name,
    onChange,
    request: (verb: string) => requestOf(work, verb),
    onRun: () => void results.run(),
    onEdits: edit,
  });
  model = new Editor(modelBox, work.model, {
    ...around(
      texts.model.label,
      () => modelName(work),
      () => {
        work.model = model.text;
        changed();
      },
    ),
    placeholder: texts.model.placeholder,
  });
  data = new Editor(dataBox, work.data[work.current]?.text ?? "", {
    ...around(texts.data.label, dataName, () => {
      const shown = work.data[work.current];
      if (shown) shown.text = data.text;
      else if (data.text) work.data.push({ name: `${fileName(work.name)}.param`, text: data.text });
      drawInstances();
      changed();
    }),
    placeholder: texts.data.placeholder,
  });
}

const dataName = () => requestOf(work, "check").data?.[0]?.name ?? "";

const check = checker(
  () => ({ ...requestOf(work, "check"), level: work.settings.level ?? undefined }),
  (diagnostics) => {
    diagnosed = diagnostics;
    model.mark(diagnostics);
    data.mark(diagnostics);
    drawProblems();
  },
  "check",
);

function drawProblems(): void {
  const errors = diagnosed.filter(({ severity }) => severity === "error").length;
  const warnings = diagnosed.length - errors;
  problems.textContent = texts.problems(errors, warnings);
  problems.title = diagnosed.map(({ message }) => message).join("\n");
  problems.className = `problems ${errors > 0 ? "error" : warnings > 0 ? "warning" : "fine"}`;
}

const store = delayed(400, () => keepPresent(work));
const refreshBlocks = delayed(120, () => blocksBox.hidden || void blocks?.show());
const refreshForm = delayed(250, () => dataForm.element.hidden || void dataForm.show());

/** The first sentences on a phone, until the texts change. */
const welcome = h("p", { class: "welcome" }, texts.welcome);

function changed(): void {
  welcome.remove();
  bench.solution = null;
  [undoButton.disabled, redoButton.disabled] = [!data.canUndo, !data.canRedo];
  [modelUndo.disabled, modelRedo.disabled] = [!model.canUndo, !model.canRedo];
  if (!blocksBox.hidden) refreshBlocks();
  results.stale();
  check();
  void offerToSplit();
  refreshForm();
  store();
}

function edit(edits: Edit[]): void {
  const name = modelName(work);
  const here = edits.filter(({ file }) => file === name);
  const there = edits.filter(({ file }) => file === dataName());
  if (here.length > 0) model.edit(here);
  if (there.length > 0) data.edit(there);
}

function show(places: Place[], reveal: boolean): void {
  const here = places.filter(({ file }) => file === modelName(work));
  const there = places.filter(({ file }) => file === dataName());
  model.show(here, places.length > 0);
  data.show(there, places.length > 0);
  if (reveal) turnView(here.length > 0 ? "model" : "data");
}

function tryOut(change: Change): void {
  original ??= structuredClone(work);
  keepVersion(work);
  if (!work.name.endsWith(texts.repair.suffix)) work.name += texts.repair.suffix;
  title.value = work.name;
  edit(
    [{ ...change.place, file: change.place.file, text: change.text }].map((one) =>
      one.file === modelName(original ?? work) ? { ...one, file: modelName(work) } : one,
    ),
  );
  clear(banner);
  banner.append(
    h("span", {}, texts.repair.copy),
    h("button", { class: "small", onclick: () => original && openWork(original, false) }, texts.repair.back),
    h("button", { class: "small", onclick: keepCopy }, texts.repair.keep),
  );
  banner.hidden = false;
  bench.turnTo("solve");
}

function keepCopy(): void {
  original = null;
  banner.hidden = true;
}

function drawInstances(): void {
  clear(instances);
  for (const [index, { name }] of work.data.entries()) {
    const chosen = index === work.current;
    const choose = h(
      "button",
      { class: "instance", "aria-pressed": String(chosen), onclick: () => turnInstance(index) },
      name.replace(/\.(essence-)?param$/, ""),
    );
    choose.addEventListener("dblclick", () => rename(index));
    choose.addEventListener("keydown", ({ key }) => key === "F2" && rename(index));
    const box = h("span", { class: "instance-box" }, choose);
    if (chosen && work.data.length > 0)
      box.append(iconButton("close", texts.data.remove(name), "quiet tiny", () => removeInstance(index), false));
    instances.append(box);
    if (chosen) requestAnimationFrame(() => box.scrollIntoView({ block: "nearest", inline: "center" }));
  }
  instances.append(iconButton("plus", texts.data.add, "quiet tiny", addInstance, false));
}

function turnInstance(index: number): void {
  work.current = index;
  data.replace(work.data[index]?.text ?? "");
  drawInstances();
  changed();
}

function addInstance(): void {
  work.data.push({ name: freeName(`${fileName(work.name)}.param`, work.data), text: "" });
  turnInstance(work.data.length - 1);
  data.focus();
}

function removeInstance(index: number): void {
  keepVersion(work);
  work.data.splice(index, 1);
  turnInstance(Math.max(0, Math.min(work.current, work.data.length - 1)));
}

function rename(index: number): void {
  const old = work.data[index];
  const name = old && prompt(texts.data.rename, old.name);
  if (!old || !name) return;
  const wanted = fileName(name);
  old.name = freeName(
    wanted,
    work.data.filter((one) => one !== old),
  );
  if (old.name !== wanted) announce(texts.data.taken(wanted, old.name));
  turnInstance(work.current);
}

// ---- Opening and saving ----

function openWork(next: Work, keep: boolean): void {
  if (keep) keepVersion(work);
  keepCopy();
  work = structuredClone(next);
  title.value = work.name;
  document.title = work.name ? `${work.name} · ${texts.brand}` : texts.pageTitle;
  model.replace(work.model);
  data.replace(work.data[work.current]?.text ?? "");
  diagnosed = [];
  problems.textContent = "";
  drawInstances();
  changed();
  results.lay(bench);
  turnView("model");
}

/** The instances in a text of data: JSON may hold several. */
async function instancesIn(file: Text): Promise<Text[]> {
  if (!/^\s*[[{]/.test(file.text)) return [file];
  const answer = await ask<{ instances: Text[] }>({ verb: "instances", file }, `instances-${file.name}`);
  return answer?.type === "result" && answer.instances.length > 1 ? answer.instances : [file];
}

/** Adds instances to a list, under names that are still free: the second one in `boards.json` is `boards-2.json`. */
function addTo(list: Text[], taken: Text[], more: Text[]): void {
  for (const { name, text } of more) {
    const own = fileName(name.replace(/(\.[^.#]*)?#(\d+)$/, "-$2$1"));
    list.push({ name: freeName(own, [...list, ...taken]), text });
  }
}

/** Offers to split data with several instances. */
async function offerToSplit(): Promise<void> {
  const shown = work.data[work.current];
  const found = shown ? await instancesIn(shown) : [];
  const count = found.length;
  const isCurrent = shown && work.data[work.current] === shown;
  if (!isCurrent) return;
  clear(splitting);
  if (count < 2) return;
  const split = button(texts.data.split(count), "quiet small", () => {
    keepVersion(work);
    const others = work.data.filter((one) => one !== shown);
    const made: Text[] = [];
    addTo(made, others, found);
    work.data.splice(work.current, 1, ...made);
    turnInstance(work.current);
  });
  splitting.append(split);
}

/** The text of a file; `null` if the file is not text, such as a picture. */
async function textOf(file: File): Promise<string | null> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** Opens files: a model replaces the model, parameter files become instances, a saved work replaces everything. */
async function openFiles(files: File[]): Promise<void> {
  const next: Work = structuredClone(work);
  let models = 0;
  const given: Text[] = [];
  const tables: Text[][] = [];
  for (const one of files) {
    if (hasEnding(one.name, [...TABLES, ...WORKBOOKS])) {
      try {
        tables.push(await tablesIn(one.name, new Uint8Array(await one.arrayBuffer())));
      } catch (error) {
        dialog(one.name, "", h("p", { role: "alert" }, ...prose(`${(error as Error).message}.`)));
        return;
      }
      continue;
    }
    const text = await textOf(one);
    if (text === null) {
      announce(texts.notText(one.name));
      continue;
    }
    if (
      /\.(param|essence-param|eprime-param|json)$/.test(one.name) ||
      hasOnlyCases(text) ||
      (!/^\s*(find|given|such)\b/m.test(text) && !one.name.endsWith(".essence"))
    ) {
      addTo(given, models > 0 ? [] : next.data, await instancesIn({ name: one.name, text }));
    } else {
      next.model = text;
      next.name = one.name.replace(/\.[^.]*$/, "");
      models++;
    }
  }
  if (models > 0 || given.length > 0) openGiven(next, models, given);
  for (const table of tables) await takeTable(table);
}

/** True for a file of test cases: it names its model and has no statements. */
const hasOnlyCases = (text: string) => /^\$ model:/m.test(text) && !/^\s*[^\s$]/m.test(text);

/** Makes a table, or one of the sheets of a workbook, the value of a parameter, and shows the form. */
async function takeTable(tables: Text[], insert?: () => void): Promise<void> {
  showDataAs("form");
  turnView("data");
  await dataForm.takeTable(tables, insert);
}

function openGiven(next: Work, models: number, given: Text[]): void {
  next.data = models > 0 ? given : [...next.data, ...given];
  // A file of cases is not an instance, so it is not selected.
  const opened = next.data.findIndex((one) => given.includes(one) && !hasOnlyCases(one.text));
  next.current = opened >= 0 ? opened : models > 0 ? 0 : next.current;
  openWork(next, true);
}

dataBox.addEventListener(
  "paste",
  (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isTable(text)) return;
    event.preventDefault();
    event.stopPropagation();
    void takeTable([{ name: texts.data.table.pasted, text }], () => {
      showDataAs("text");
      data.insert(text);
    });
  },
  { capture: true },
);

function saveFiles(): void {
  save(modelName(work), work.model);
  const shown = work.data[work.current];
  if (shown) save(shown.name, shown.text);
  announce(texts.saved);
}

document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  void openFiles([...event.dataTransfer.files]);
});

/** The work of the link, or else the last one; on a first visit, a short model with its solution. */
async function first(): Promise<void> {
  const fragment = location.hash.replace(/^#/, "");
  const shared = await fromFragment(fragment);
  if (!shared && fragment.startsWith("1.")) announce(texts.share.broken);
  const example = /^example=([\w-]+(\/[\w-]+)?)$/.exec(fragment)?.[1];
  const named = shared ?? (example ? await exampleWork(example).catch(() => null) : null);
  const kept = present();
  if (named && kept) keepVersion(kept);
  // Remove the link from the address, because later edits are not in it.
  if (named) history.replaceState(null, "", location.pathname);
  openWork(named ?? kept ?? FIRST, false);
  if (named?.set) {
    results.turnTo("play");
    turnView("result");
  }
  if (named || kept) return;
  // A phone shows one view: what this is, with a solved board.
  results.element.prepend(welcome);
  turnView("result");
  await results.show();
}

window.addEventListener("hashchange", () => void (location.hash.length > 1 && first()));
window.addEventListener("beforeunload", () => keepPresent(work));

frame();
results.lay(bench);
editors();
prepare();
void first();
keepOffline();
fitToPaper(() => [
  [model.view.dom, model.text],
  [data.view.dom, data.text],
]);
