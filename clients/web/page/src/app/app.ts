// The app of a model: a page for people who do not know Essence. They enter data, set some of the values, and let the
// solver fill in the rest. The page contains the model, its first data and the engine.

import "./embedded";
import { announce, button, copy, h, icon, iconButton } from "../dom";
import { prepare, ask as question } from "../engine";
import type { Answer, Change, Json, Place, PuzzleResult, Request, Text } from "../../../npm/src/protocol";
import { fitToPaper } from "../paper";
import { pack, unpack } from "../sharing";
import { keep, kept } from "../storage";
import { toggleTheme } from "../theme";
import { directives, languagesOf } from "./directives";
import { csv, type Form, indexed, isScalar, normal, type Requirement, same, scaled } from "./domains";
import { isHosted, listen, tell } from "./host";
import { mistakesIn, parameterIn, ParameterForm } from "./parameters";
import { asPlan, Plans, type State } from "./plans";
import { Play, type Repair } from "./play";
import { paragraphs, plainText, prose, translate } from "./prose";
import { difference } from "./repairs";
import { language, speak, words } from "./words";

/** The data that `conjure-like app` puts into the page. */
interface Held {
  name: string;
  model: string;
  form: Form;
  /** Identifies this app among the others in the browser's storage. */
  key: string;
  /** The instances of the parameter files. */
  plans: { name: string; values: { [name: string]: Json } }[];
}

const MOST_SECONDS_FOR_CLUES = 5;
const MOST_SECONDS_FOR_A_PUZZLE = 15;

const held = JSON.parse(document.getElementById("app")?.textContent ?? "null") as Held;
const { form } = held;
const languages = languagesOf(form);
let about = directives(form);
let title = "";
/** Switches to a language, and to the model's texts in it if there are any. */
function use(wanted: string): void {
  speak(wanted, languages);
  about = directives(form, language);
  translate(about.texts);
  title = about.title ?? (form.title || about.nameOf(held.name.replace(/\.\w+$/, "")));
}
use(kept("essence.app.language") ?? navigator.language.slice(0, 2));

// ---- The plan ----

const data = new ParameterForm(
  {
    model,
    about: () => about,
    entered: (name) => {
      state.values = data.values;
      plans.change(state, `parameter ${name}`);
      dataChanged();
    },
  },
  form,
);

const initial = (given?: { [name: string]: Json }): State => ({ values: data.initial(given), set: [] });

const first = held.plans.map(({ name, values }) => ({ name, state: initial(values) }));
const plans = new Plans(`essence.app.${held.key}`, first.length > 0 ? first : [{ name: words.plan, state: initial() }]);
let state: State = structuredClone(plans.current.state);
/** True if the data have changed since the last check. */
let isStale = true;
let isUsable = false;

const play = new Play({
  request: (verb) => data.request(verb),
  ready,
  changed: (set, what) => {
    state.set = set;
    plans.change(state, what);
  },
  parameterIn,
  repair,
  switchOff,
  about: () => about,
  shown: buttons,
  hasOneSolution: () => void offerPuzzles(),
  // On a phone, the form is below the solution.
  solvesFirst: () => matchMedia("(max-width: 640px)").matches,
});

/** The model with `true` in place of each requirement that is switched off. */
function model(): Text {
  let text = held.model;
  for (const { optional, first_line } of form.requirements) {
    if (!optional || !state.off?.includes(first_line)) continue;
    // The same text may occur in an earlier requirement, so start at the line of this one.
    const at = text.indexOf(optional, text.split("\n", first_line - 1).join("\n").length);
    // Keep the line breaks, so that the lines of all other requirements stay right.
    text = `${text.slice(0, at)}true${optional.replace(/.+/g, "")}${text.slice(at + optional.length)}`;
  }
  return { name: held.name, text };
}

/** The repair that switches off an optional requirement of the model. */
function switchOff({ line }: Place): Repair | null {
  const rule = form.requirements.find(({ optional, first_line, last_line }) => optional !== null && first_line <= line && line <= last_line);
  if (!rule) return null;
  const run = () => {
    state.off = [...(state.off ?? []), rule.first_line];
    plans.change(state, "repair");
    showState();
  };
  return { says: words.switchOff(plainText(rule.comment || (rule.optional ?? ""))), run };
}

/** A change of the data. Users of an app have no model to change, but may switch off some of its requirements. */
function repair({ place, text }: Change): Repair | null {
  const name = parameterIn(place.file);
  if (name === undefined) return switchOff(place);
  const texts = data.texts();
  const old = texts.find((one) => one.name === place.file);
  if (!old) return null;
  const changed = old.text.slice(0, place.from) + text + old.text.slice(place.to);
  const value = (text: string) => (JSON.parse(text) as { [name: string]: Json })[name] ?? null;
  try {
    return { says: `${about.nameOf(name)}: ${difference(value(old.text), value(changed))}`, run: () => void change(name, texts.map((one) => (one === old ? { ...one, text: changed } : one))) };
  } catch {
    return null;
  }
}

/** Takes the value of a parameter from the changed texts. */
async function change(name: string, texts: Text[]): Promise<void> {
  const answer = await question<Form>({ verb: "form", model: model(), data: texts }, "repair");
  const one = answer?.type === "result" ? answer.parameters.find((parameter) => parameter.name === name) : undefined;
  // The repair does not apply to these data any more.
  if (one?.value == null) return;
  state.values = { ...data.values, [name]: scaled(one.domain, normal(one.domain, one.value)) };
  plans.change(state, "repair");
  showState();
}

/** True if the data can be used; `null` if they have changed meanwhile. */
async function ready(): Promise<boolean | null> {
  if (!isStale) return isUsable;
  const checked = await data.check();
  if (!checked) return null;
  if (checked.failed.length > 0) {
    play.wrong(checked.failed);
    return null;
  }
  isStale = false;
  isUsable = checked.isUsable;
  if (!isUsable) play.say(checked.missing.length > 0 ? words.missingSome(checked.missing.map(({ name }) => about.nameOf(name))) : words.wrongData, () => data.goToProblem());
  return isUsable;
}

function dataChanged(): void {
  isStale = true;
  play.changed(true);
}

/** Shows a state that was replaced as a whole. */
function showState(): void {
  data.values = state.values;
  data.show();
  data.tell(new Map());
  showRules();
  play.put(state.set);
  dataChanged();
}

// ---- The page ----

const rules = h("div", { class: "parameters rules-off" });

/** Shows a switch for each optional requirement. */
function showRules(): void {
  const optional = form.requirements.filter((one) => one.optional !== null);
  const item = ({ comment, optional, first_line }: Requirement) => {
    const box = h("input", { type: "checkbox", checked: !state.off?.includes(first_line) });
    box.onchange = () => {
      const others = (state.off ?? []).filter((line) => line !== first_line);
      state.off = box.checked ? others : [...others, first_line];
      plans.change(state, `rule ${first_line}`);
      dataChanged();
    };
    return h("label", { class: "check" }, box, h("span", {}, ...prose(comment || (optional ?? ""))));
  };
  rules.replaceChildren(...(optional.length > 0 ? [h("h3", { class: "group" }, words.rules), ...optional.map(item)] : []));
}

const undoButton = iconButton("undo", words.undo, "quiet bare", () => step(plans.undo));
const redoButton = iconButton("redo", words.redo, "quiet bare", () => step(plans.redo));
const planSelect = h("select", {});
const notKept = h("p", { class: "not-kept", hidden: true });

function build(): void {
  document.documentElement.lang = language;
  document.title = title;
  data.reset();
  showRules();
  planSelect.onchange = () => {
    plans.choose(Number(planSelect.value));
    load();
  };
  const menu = (name: string, iconName: string, items: [string, () => void][]) => {
    const list = h("div", { class: "menu-list" }, ...items.map(([text, run]) => button(text, "quiet", () => (box.removeAttribute("open"), run()))));
    const box = h("details", { class: "menu" }, h("summary", { title: name }, icon(iconName), h("span", { class: "label" }, name)), list);
    box.addEventListener("focusout", (event) => {
      if (!box.contains(event.relatedTarget as Node | null)) box.removeAttribute("open");
    });
    return box;
  };
  const nameOf = (key: string) => words.languages[key] ?? new Intl.DisplayNames(key, { type: "language" }).of(key) ?? key;
  const all = [...new Set([...Object.keys(words.languages), ...languages])];
  const spoken = h("select", { "aria-label": words.language }, ...all.map((key) => h("option", { value: key }, nameOf(key))));
  spoken.value = language;
  spoken.onchange = () => {
    keep("essence.app.language", spoken.value);
    use(spoken.value);
    document.body.replaceChildren();
    build();
    play.describe(form);
    void data.unfold();
    dataChanged();
  };
  const file = h("input", { type: "file", hidden: true, multiple: true, accept: ".json,.param,.essence,.txt" });
  file.onchange = () => void Promise.all([...(file.files ?? [])].map(openFile)).then(() => (file.value = ""));
  for (const [one, text] of [[undoButton, words.undo], [redoButton, words.redo]] as const) {
    one.title = text;
    one.querySelector(".label")?.replaceChildren(text);
  }
  planSelect.setAttribute("aria-label", words.plans);
  notKept.textContent = words.notKept;
  anotherButton.textContent = words.another;
  play.speak();
  play.bar.prepend(h("h2", {}, words.solution));
  const planMenu = menu(words.plan, "new", [
    [words.newPlan, () => addPlan(words.newPlan, initial())],
    [words.duplicate, () => addPlan(words.copyOf(plans.current.name), state)],
    [words.rename, renamePlan],
    [words.remove, () => (plans.remove(), load())],
  ]);
  const saveMenu = menu(words.save, "save", [
    [words.saveAs.json, saveJson],
    [words.saveAs.param, () => void saveParam()],
    [words.saveAs.csv, () => save("csv", csv(play.board.rows()), "text/csv")],
    [words.saveAs.svg, () => savePicture("svg")],
    [words.saveAs.png, () => savePicture("png")],
    ...(isHosted ? [] : ([[words.link, () => void link()], [words.embed, () => void embed()]] as [string, () => void][])),
  ]);
  document.body.append(
    h(
      "header",
      { class: "head" },
      h("h1", {}, title),
      h(
        "div",
        { class: "plans" },
        planSelect,
        planMenu,
        button(`${words.data} ↓`, "jump quiet", () => document.querySelector(".data")?.scrollIntoView({ behavior: "smooth" })),
      ),
      h(
        "div",
        { class: "tools" },
        undoButton,
        redoButton,
        iconButton("open", words.open, "quiet", () => file.click()),
        saveMenu,
        iconButton("print", words.print, "quiet", () => print()),
        iconButton("moon", words.theme, "quiet bare", toggleTheme, words.theme.split(":")[0]),
        spoken,
        file,
      ),
    ),
    h(
      "main",
      { class: "sides" },
      form.about ? h("div", { class: "intro" }, ...paragraphs(form.about)) : null,
      h("section", { class: "answer", "aria-label": words.solution }, play.element),
      h("section", { class: "data", "aria-label": words.data }, h("h2", {}, words.data), anotherButton, notKept, data.element, rules),
    ),
    h("footer", { class: "foot" }, h("p", {}, words.madeWith), h("details", { class: "rules" }, h("summary", {}, words.model), h("pre", {}, held.model))),
  );
}

function buttons(): void {
  undoButton.disabled = !plans.canUndo;
  redoButton.disabled = !plans.canRedo;
  planSelect.replaceChildren(...plans.names.map((name, at) => h("option", { value: String(at) }, name)));
  planSelect.value = String(plans.position);
  notKept.hidden = plans.kept || isHosted;
  tell(() => ({
    data: Object.fromEntries(data.known().map((one) => [one.name, indexed(one.domain, data.valueOf(one))])),
    usable: isUsable,
    set: state.set,
    solution: play.board.shown?.json ?? null,
  }));
}

// ---- Plans, files, links ----

function load(): void {
  state = structuredClone(plans.current.state);
  play.forget();
  showState();
}

/** Puts data into the current plan. */
function take(values: { [name: string]: Json }, set: string[]): void {
  state = { ...initial(values), set, ...(state.off ? { off: state.off } : {}) };
  plans.change(state, "host");
  showState();
}

function step(move: () => boolean): void {
  if (!move()) return;
  state = structuredClone(plans.current.state);
  showState();
}

function addPlan(name: string, of: State): void {
  plans.add({ name, state: of });
  load();
}

function renamePlan(): void {
  const input = h("input", { type: "text", value: plans.current.name, "aria-label": words.nameOfPlan });
  planSelect.hidden = true;
  planSelect.before(input);
  input.focus();
  input.select();
  const done = () => {
    const name = input.value.trim();
    if (name !== plans.current.name && plans.names.includes(name)) announce(words.twice(name));
    else if (name) plans.rename(name);
    input.remove();
    planSelect.hidden = false;
    buttons();
  };
  input.addEventListener("blur", done, { once: true });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.value = plans.current.name;
    if (event.key === "Enter" || event.key === "Escape") input.blur();
  });
}

const fileName = () => `${held.name.replace(/\.\w+$/, "")}-${plans.current.name}`.replace(/[^\p{L}\p{N}]+/gu, "-");

function save(ending: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content);
  h("a", { href: url, download: `${fileName()}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function saveJson(): void {
  const parts = data.texts().map(({ text }) => text.slice(1, -1));
  save("json", `{\n  ${parts.join(",\n  ")}\n}\n`, "application/json");
}

async function saveParam(): Promise<void> {
  const answer = await question<Form>(data.request("form"), "save");
  if (answer?.type === "result") save("param", answer.essence, "text/plain");
}

function savePicture(ending: "svg" | "png"): void {
  const svg = play.board.shown?.svg;
  if (!svg) return;
  if (ending === "svg") {
    save("svg", svg, "image/svg+xml");
    return;
  }
  const image = new Image();
  image.onload = () => {
    const canvas = h("canvas", { width: 2 * image.width, height: 2 * image.height });
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.fillStyle = "#ffffff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save("png", blob, "image/png"));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** The URL of this page with the plan in it. */
async function address(): Promise<URL> {
  const link = new URL(location.href);
  link.hash = await pack({ name: plans.current.name, state });
  return link;
}

async function link(): Promise<void> {
  const link = await address();
  await copy(link.href);
  history.replaceState(null, "", link.hash);
  announce(words.copied);
}

/** Copies the HTML with which other pages embed this one, with the plan. */
async function embed(): Promise<void> {
  const frame = h("iframe", { src: (await address()).href, title, width: "100%", height: "800", loading: "lazy" });
  await copy(frame.outerHTML);
  announce(words.copiedEmbed);
}

const openFile = async (file: File) => openText(file.name, await file.text());

/** Opens data as a new plan. */
async function openText(name: string, text: string): Promise<void> {
  const asked: Request = { verb: "form", model: model(), data: [{ name, text }] };
  const answer = await question<Form>(asked, `open ${name}`);
  const mistakes = await mistakesIn(asked);
  const parameters = answer?.type === "result" ? answer.parameters.filter(({ name, value }) => value !== null || mistakes.has(name)) : [];
  if (parameters.length === 0) {
    announce(words.cannotRead(name));
    return;
  }
  const read = parameters.filter(({ value }) => value !== null);
  const values = Object.fromEntries(read.map(({ name, domain, value }) => [name, scaled(domain, normal(domain, value))]));
  const others = Object.entries(state.values).filter(([name]) => !mistakes.has(name));
  addPlan(name.replace(/\.\w+$/, ""), { values: { ...Object.fromEntries(others), ...values }, set: [] });
  data.tell(mistakes);
  announce(words.opened(name));
}

// ---- Puzzles ----

const anotherButton = button("", "secondary small another", () => void another());
/** True if the model has been asked whether a parameter holds clues. */
let isAsked = false;
anotherButton.hidden = true;

function puzzles(seed: number, number: number, limit: number): Promise<Answer<PuzzleResult> | null> {
  return question<PuzzleResult>({ ...data.request("puzzle"), number, seed, limit } as Request, "puzzle");
}

/**
 * Shows the button for another puzzle if the data have clues. Called when they have exactly one solution: a plan with
 * several is not a puzzle, even if data fix parts of it. A model with an objective does not make puzzles.
 */
async function offerPuzzles(): Promise<void> {
  if (isAsked || form.maximises !== null || !form.parameters.some(({ domain }) => !isScalar(domain))) return;
  isAsked = true;
  const answer = await puzzles(1, 0, MOST_SECONDS_FOR_CLUES);
  anotherButton.hidden = answer?.type !== "result" || answer.clues.length === 0;
}

/** Makes another puzzle of the same kind, as a new plan. */
async function another(): Promise<void> {
  anotherButton.disabled = true;
  anotherButton.textContent = words.making;
  const answer = await puzzles(Math.floor(Math.random() * 2 ** 32), 1, MOST_SECONDS_FOR_A_PUZZLE);
  const made = answer?.type === "result" ? answer.puzzles[0] : undefined;
  if (made) await openText(words.puzzle, made.data);
  else announce(words.noPuzzle);
  anotherButton.disabled = false;
  anotherButton.textContent = words.another;
}

async function start(): Promise<void> {
  const shared = asPlan(await unpack(location.hash.replace(/^#/, "")));
  if (shared && !same(shared.state as unknown as Json, plans.current.state as unknown as Json)) plans.add(shared);
  state = structuredClone(plans.current.state);
  play.describe(form);
  data.values = state.values;
  play.set = state.set;
  // Build the page in a later task, so that the browser can finish the one that has parsed the script.
  await new Promise((done) => setTimeout(done, 0));
  build();
  void data.unfold();
  play.say(words.starting);
  // Prepare the engine only after the first paint.
  requestAnimationFrame(() =>
    setTimeout(() => {
      prepare();
      dataChanged();
    }, 0),
  );
  fitToPaper();
  listen(({ data, set }) => take(data, set));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === "enter" && !play.solveButton.disabled) play.solveButton.click();
    else if (key === "z" || key === "y") {
      event.preventDefault();
      step(key === "y" || event.shiftKey ? plans.redo : plans.undo);
    }
  });
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) void openFile(file);
  });
}

void start();
