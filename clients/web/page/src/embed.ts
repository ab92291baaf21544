// One model in a frame of another page, with a button that opens it in the playground; or one exercise with a button
// that checks the answer.

import "./served";
import { paragraphs } from "./app/prose";
import type { Bench } from "./bench";
import { DataForm } from "./dataform";
import { delayed } from "./delayed";
import { h, icon, iconButton } from "./dom";
import { checker, Editor } from "./editor";
import { prepare } from "./engine";
import { exampleWork } from "./examples";
import { answerTo, exerciseIn, type Exercise } from "./exercise";
import { ResultPane } from "./pane";
import { playPart } from "./parts/play";
import { solvePart } from "./parts/solve";
import { whyPart } from "./parts/why";
import type { Change, Edit, Place } from "../../npm/src/protocol";
import { fromFragment, linkTo } from "./sharing";
import { texts } from "./texts";
import { followPageAround } from "./theme";
import { fileName, modelName, requestOf, type Work } from "./work";

function cell(given: Work, readOnly: boolean): HTMLElement {
  let work = structuredClone(given);
  const modelBox = h("div", { class: "editor" });
  const dataBox = h("div", { class: "editor" });
  const dataName = () => requestOf(work, "check").data?.[0]?.name ?? "";
  const results = new ResultPane([solvePart, playPart, whyPart], () => undefined);
  const check = checker(
    () => requestOf(work, "check"),
    (diagnostics) => {
      model.mark(diagnostics);
      data?.mark(diagnostics);
    },
    "check",
  );
  const changed = () => {
    results.stale();
    check();
  };
  const edit = (edits: Edit[]) => {
    model.edit(edits.filter(({ file }) => file === modelName(work)));
    data?.edit(edits.filter(({ file }) => file === dataName()));
  };
  const around = { request: (verb: string) => requestOf(work, verb), onRun: () => void results.run(), onEdits: edit, readOnly };
  const model: Editor = new Editor(modelBox, work.model, {
    ...around,
    label: texts.model.label,
    name: () => modelName(work),
    onChange: () => {
      work.model = model.text;
      changed();
    },
  });
  const shown = work.data[work.current];
  const data: Editor | null = shown
    ? new Editor(dataBox, shown.text, {
        ...around,
        label: texts.data.label,
        name: dataName,
        onChange: () => {
          const now = work.data[work.current];
          if (now && data) now.text = data.text;
          changed();
        },
      })
    : null;
  const bench: Bench = {
    get work() {
      return work;
    },
    solution: null,
    request: (verb) => requestOf(work, verb),
    start: (request, onLine) => results.start(request, onLine),
    enough: () => results.enough(),
    show(places: Place[]) {
      const inFile = (name: string) => places.filter(({ file }) => file === name);
      model.show(inFile(modelName(work)), places.length > 0);
      data?.show(inFile(dataName()), places.length > 0);
    },
    turnTo(id) {
      results.turnTo(id);
      void results.run();
    },
    changed,
  };
  if (!readOnly) {
    bench.tryOut = (change: Change) => {
      edit([{ ...change.place, text: change.text }]);
      bench.turnTo("solve");
    };
  }
  const reset = () => {
    work = structuredClone(given);
    model.change(work.model);
    data?.change(work.data[work.current]?.text ?? "");
  };
  results.lay(bench);
  check();
  return h(
    "main",
    { class: "cell-page" },
    head(() => work, readOnly ? null : reset),
    h("section", { class: "model pane", "aria-label": texts.model.name }, modelBox),
    data ? h("details", { class: "data pane", open: true }, h("summary", {}, texts.data.name), dataBox) : null,
    results.element,
  );
}

/** The solution as an interactive board, with the data as a form below it. The source is hidden. */
function playCell(given: Work, readOnly: boolean): HTMLElement {
  let work = structuredClone(given);
  const results = new ResultPane([playPart], () => undefined);
  const about = h("div", { class: "about" });
  const changed = () => {
    results.stale();
    refresh();
  };
  const data = new DataForm({
    request: (verb) => requestOf(work, verb),
    text: () => work.data[work.current]?.text ?? "",
    name: () => requestOf(work, "symbols").data?.[0]?.name ?? "",
    change: (text) => {
      const shown = work.data[work.current];
      if (shown) shown.text = text;
      else work.data.push({ name: `${fileName(work.name)}.param`, text });
      changed();
    },
    laid: (form) => {
      about.replaceChildren(...paragraphs(form.about));
      details.hidden = readOnly || form.parameters.length === 0;
    },
  });
  const details = h("details", { class: "data pane", hidden: true }, h("summary", {}, texts.data.name), data.element);
  const refresh = delayed(250, () => void data.show());
  const bench: Bench = {
    get work() {
      return work;
    },
    solution: null,
    request: (verb) => requestOf(work, verb),
    start: (request, onLine) => results.start(request, onLine),
    enough: () => results.enough(),
    show: () => undefined,
    turnTo: () => undefined,
    changed,
  };
  const reset = () => {
    work = structuredClone(given);
    results.lay(bench);
    void data.show();
  };
  results.lay(bench);
  void data.show();
  return h("main", { class: "cell-page plays" }, head(() => work, reset), about, results.element, details);
}

/** The name of a model, with buttons to reset it and to open it in the playground. */
function head(work: () => Work, reset: (() => void) | null): HTMLElement {
  const elsewhere = { class: "quiet link small", target: "_blank", rel: "noopener", href: "index.html" };
  const open = h("a", elsewhere, icon("share"), h("span", {}, texts.cells.openHere));
  const renew = () => void linkTo(new URL("index.html", location.href), work()).then((link) => (open.href = link));
  open.addEventListener("pointerenter", renew);
  open.addEventListener("focus", renew);
  renew();
  const begin = reset && iconButton("history", texts.cells.reset, "quiet small", reset);
  return h("div", { class: "pane-head" }, h("h1", {}, work().name || texts.brand), begin, open);
}

function exerciseCell(exercise: Exercise, name: string): HTMLElement {
  const section = h("section", { class: "answer" });
  answerTo(section, exercise, exercise.title);
  return h("main", { class: "cell-page" }, h("div", { class: "pane-head" }, h("h1", {}, name)), section);
}

/** The contents that the fragment of the URL names; `null` if there is none, or if it is broken. */
async function named(fragment: string, options: URLSearchParams): Promise<HTMLElement | null> {
  const name = options.get("name");
  const [, packed] = /^exercise=(.*)$/.exec(fragment) ?? [];
  if (packed) {
    const exercise = await exerciseIn(packed);
    return exercise && exerciseCell(exercise, name ?? exercise.title);
  }
  const example = /^example=([\w-]+(\/[\w-]+)?)$/.exec(fragment)?.[1];
  const work = example ? await exampleWork(example).catch(() => null) : await fromFragment(fragment);
  if (work && name) work.name = name;
  return work && (options.get("view") === "play" ? playCell : cell)(work, options.has("readonly"));
}

async function start(): Promise<void> {
  const [fragment = "", ...rest] = location.hash.replace(/^#/, "").split("&");
  const options = new URLSearchParams(rest.join("&"));
  followPageAround(options.get("theme"));
  document.body.replaceChildren((await named(fragment, options)) ?? h("main", {}, h("p", { class: "empty" }, texts.cells.missing)));
  // Fetch the engine when the pointer enters, so that a page with many cells stays light.
  document.body.addEventListener("pointerenter", prepare, { once: true });
  const tell = () => parent.postMessage({ essenceHeight: document.documentElement.scrollHeight }, "*");
  if (parent !== window) new ResizeObserver(tell).observe(document.body);
}

void start();
