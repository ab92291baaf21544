// Part of the build: the pages as text. The documentation comes from the Markdown in docs/; listings and commands get
// the markup that makes them interactive.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import { parse } from "smol-toml";
import { command } from "./commands";
import type { Example, Group } from "./examples";
import type { Exercise } from "./exercise";
import { EngineInstance } from "../../npm/src/execute";
import type { Request, Solution } from "../../npm/src/protocol";
import type { Section } from "./search";
import { pack } from "./sharing";
import { texts } from "./texts";
import { tokens } from "./tokens";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'nonce-styles-of-the-editor'; img-src 'self' blob: data:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

type Engine = (request: Request) => { type: string }[];

/** Runs the engine in this process. */
export function engineFor(wasm: Uint8Array<ArrayBuffer>): Engine {
  const module = new WebAssembly.Module(wasm);
  return (request) => {
    const lines: { type: string }[] = [];
    new EngineInstance(module, (line) => lines.push(JSON.parse(line) as { type: string })).answer(JSON.stringify(request));
    return lines;
  };
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

// ---- Examples ----

/** A picture with more characters has too much text for a card. */
const MOST_OF_A_CARD = 9000;

/** The title and the first sentences of a model's comment. */
function introduction(model: string): { title: string; about: string } {
  const lines = [];
  for (const line of model.split("\n")) {
    if (!line.startsWith("$")) break;
    lines.push(line.replace(/^\$ ?/, ""));
  }
  const [title = "", ...rest] = lines;
  const paragraph =
    rest
      .join("\n")
      .trim()
      .split(/\n\s*\n/)[0] ?? "";
  return { title, about: paragraph.replace(/\s+/g, " ") };
}

/** The examples, in the groups and the order of docs/models.md. */
export function examples(root: string, engine: Engine): Group[] {
  const groups: Group[] = [];
  for (const section of readFileSync(join(root, "docs/models.md"), "utf8").split(/^## /m).slice(1)) {
    const names = [...section.matchAll(/^\*\*\[[^\]]*\]\(\.\.\/models\/([\w-]+)\.essence\)/gm)].map(([, name]) => name ?? "");
    if (names.length > 0) groups.push({ title: section.split("\n")[0] ?? "", examples: names.map((name) => example(root, name, engine)) });
  }
  return groups;
}

/** A text without the comments for tests, which contain the solutions. */
const withoutAnswers = (text: string) => text.replace(/^\$ (model|solutions?|optimum):.*\n(\$ {3,}.*\n)*/gm, "").replace(/^\s*\n/, "");

function example(root: string, name: string, engine: Engine): Example {
  const model = withoutAnswers(readFileSync(join(root, "models", `${name}.essence`), "utf8"));
  const files = readdirSync(join(root, "params")).filter((file) => file.endsWith(".param") && modelOf(root, file) === name);
  const instances = files
    .map((file) => ({ name: file, text: withoutAnswers(readFileSync(join(root, "params", file), "utf8")) }))
    .sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  const made: Example = { name, ...introduction(model), model, instances };
  // Choose the instance with the most detailed picture that still fits.
  let best = -1;
  for (const [index, instance] of (instances.length > 0 ? instances : [null]).entries()) {
    const lines = engine({ verb: "solve", model: { name: `${name}.essence`, text: model }, data: instance ? [instance] : [], limit: 3 });
    const svg = lines.filter((line): line is Solution => line.type === "solution").at(-1)?.svg;
    const worth = !svg ? -1 : svg.length <= MOST_OF_A_CARD ? svg.length : 0;
    if (!svg || worth <= best) continue;
    [made.svg, made.shown, best] = [svg, index, worth];
  }
  return made;
}

/** The model of a file: the one with the longest name that is a prefix of the file's. */
function modelOf(root: string, file: string): string | undefined {
  const models = readdirSync(join(root, "models")).map((model) => basename(model, ".essence"));
  return models
    .filter((model) => file.startsWith(`${model}-`) || file === `${model}.param`)
    .sort((one, other) => other.length - one.length)[0];
}

// ---- Pages ----

interface Assets {
  style: string;
  script(name: string): string;
  engine: string;
}

function page(title: string, up: string, assets: Assets, script: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escaped(texts.description)}">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<link rel="manifest" href="${up}manifest.webmanifest">
<link rel="stylesheet" href="${up}assets/${assets.style}">
<script type="module" src="${up}assets/${assets.script(script)}"></script>
</head>
${body}
</html>
`;
}

/** All pages by their paths. */
export async function pages(root: string, assets: Assets): Promise<Record<string, string>> {
  const noScript = `<noscript><p class="empty">${escaped(texts.noScript)}</p></noscript>`;
  const made: Record<string, string> = {
    "index.html": page(texts.pageTitle, "", assets, "main", `<body class="app">${noScript}</body>`).replace(
      "</head>",
      `<link rel="preload" href="assets/${assets.engine}" as="fetch" crossorigin>\n</head>`,
    ),
    "embed.html": page(texts.pageTitle, "", assets, "embed", `<body class="embedded">${noScript}</body>`),
  };
  const docs = readdirSync(join(root, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({ name: basename(file, ".md"), path: `docs/${file}`, isListed: true }));
  const course = coursePages(root);
  const known = new Map([...docs, ...course].map(({ name, path }) => [path, name]));
  const markdown = (path: string) => readFileSync(join(root, path), "utf8");
  const titles = new Map([...known].map(([path, name]) => [name, titleOf(markdown(path))]));
  const listed = course.filter(({ isListed }) => isListed).map(({ name }) => name);
  const groups = [...texts.docs.groups, [texts.docs.exercises, listed] as [string, string[]]].map(
    ([group, names]) => [group, names.filter((name) => titles.has(name))] as [string, string[]],
  );
  const order = [...texts.docs.groups.flatMap(([, names]) => names).filter((name) => titles.has(name)), ...course.map(({ name }) => name)];
  const searched: Section[] = [];
  for (const { name, path } of [...docs, ...course]) {
    const exercise = exerciseAt(root, path);
    const { html, contents, sections } = document(markdown(path), path, known, root);
    searched.push(...sections.map((section) => ({ ...section, page: name, title: titles.get(name) ?? "" })));
    const at = order.indexOf(name);
    const near = (step: number, label: string) => {
      const other = at < 0 ? undefined : order[at + step];
      return other
        ? `<a class="${step < 0 ? "previous" : "next"}" href="${other}.html"><small>${label}</small>${escaped(titles.get(other) ?? "")}</a>`
        : "<span></span>";
    };
    const nav = groups
      .map(([group, names]) => {
        const links = names.map(
          (one) =>
            `<li><a href="${one}.html"${one === name ? ' aria-current="page"' : ""}>${escaped(titles.get(one) ?? "")}</a></li>` +
            (one === "library" ? `<li><a href="../api/conjure_like/index.html">${texts.docs.reference}</a></li>` : ""),
        );
        return links.length > 0 ? `<h2>${escaped(group)}</h2><ul>${links.join("")}</ul>` : "";
      })
      .join("");
    const onPage =
      contents.length > 2
        ? `<aside class="on-page" aria-label="${texts.docs.onThisPage}"><h2>${texts.docs.onThisPage}</h2><ul>${contents.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join("")}</ul></aside>`
        : "";
    const body = `<body class="docs">
<a class="skip" href="#text">${texts.docs.skip}</a>
<header class="top"><a class="brand" href="../" aria-label="${texts.home}"><span class="mark" aria-hidden="true"></span><span class="word">${texts.brand}</span></a>
<search id="search"></search><nav class="menu" aria-label="${texts.menu.name}"><a class="quiet link" href="../index.html">${texts.docs.playground}</a><button type="button" class="quiet" id="theme">${texts.menu.theme}</button></nav></header>
<div class="columns">
<nav class="side" aria-label="${texts.docs.contents}"><details class="contents"><summary>${texts.docs.contents}</summary>${nav}</details></nav>
<main id="text" class="prose">${html}${exercise ? answerCell(name, await pack(exercise)) : ""}<nav class="near" aria-label="${texts.docs.next}">${near(-1, texts.docs.previous)}${near(1, texts.docs.next)}</nav></main>
${onPage}
</div>
</body>`;
    made[`docs/${name}.html`] = page(`${titles.get(name)} · ${texts.brand}`, "../", assets, "docs", body);
  }
  made["docs/index.html"] = made["docs/tutorial.html"] ?? "";
  made["docs/search.json"] = JSON.stringify(withoutCommonWords(searched));
  return made;
}

// ---- Search ----

/** Words in more sections than this are useless for the search. */
const MOST_SECTIONS = 100;

/** The sections with each of their words once, which takes a third of the space; punctuation is dropped. */
function withoutCommonWords(sections: Section[]): Section[] {
  const wordsOf = (section: Section) => [...new Set(section.words.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])];
  const counts = new Map<string, number>();
  for (const section of sections) for (const word of wordsOf(section)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const tells = (word: string) => (counts.get(word) ?? 0) <= MOST_SECTIONS;
  return sections.map((section) => ({ ...section, words: wordsOf(section).filter(tells).sort().join(" ") }));
}

// ---- Exercises ----

interface CoursePage {
  name: string;
  path: string;
  /** True if the page is in the table of contents; exercises are not. */
  isListed: boolean;
}

/** The pages of the course in order: its first page, then the page and the exercises of each step. */
function coursePages(root: string): CoursePage[] {
  const folders = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const made: CoursePage[] = [{ name: "course", path: "course/README.md", isListed: true }];
  for (const step of folders("course")) {
    made.push({ name: `course-${step}`, path: `course/${step}/README.md`, isListed: true });
    for (const exercise of folders(`course/${step}`))
      made.push({ name: `course-${step}-${exercise}`, path: `course/${step}/${exercise}/statement.md`, isListed: false });
  }
  return made;
}

function exerciseAt(root: string, path: string): Exercise | null {
  const folder = join(root, path, "..");
  if (!path.endsWith("/statement.md")) return null;
  const statement = readFileSync(join(root, path), "utf8");
  const settings = parse(readFileSync(join(folder, "exercise.toml"), "utf8")) as {
    title?: string;
    time?: number;
    "made-up"?: number;
    hints?: { [kind: string]: string };
  };
  const data = join(folder, "instances");
  const files = existsSync(data) ? readdirSync(data).sort((one, other) => one.localeCompare(other, "en", { numeric: true })) : [];
  return {
    title: settings.title ?? "",
    start: /```essence[^\n]*\n([\s\S]*?)```/.exec(statement)?.[1] ?? "",
    reference: { name: "reference.essence", text: readFileSync(join(folder, "reference.essence"), "utf8") },
    instances: files.map((file) => ({ name: file, text: readFileSync(join(data, file), "utf8") })),
    made_up: settings["made-up"] ?? 4,
    limit: settings.time ?? 5,
    hints: settings.hints ?? {},
  };
}

/** The answer cell of an exercise. The exercise is packed, so that readers do not see its reference by accident. */
function answerCell(name: string, packed: string): string {
  return `<section class="answer" data-name="${escaped(name)}" data-exercise="${packed}" aria-label="${escaped(texts.exercise.title)}"><h2>${escaped(texts.exercise.title)}</h2></section>\n`;
}

const titleOf = (markdown: string) => (/^# (.*)$/m.exec(markdown)?.[1] ?? "").replaceAll("`", "");

function coloured(text: string): string {
  return [...tokens(text)].map(({ text, kind }) => (kind ? `<span class="tok-${kind}">${escaped(text)}</span>` : escaped(text))).join("");
}

function figure(kind: string, attributes: Record<string, string>, caption: string, inner: string): string {
  const given = Object.entries(attributes).map(([name, value]) => ` data-${name}="${escaped(value)}"`);
  return `<figure class="${kind}"${given.join("")}><figcaption><span class="name">${escaped(caption)}</span></figcaption>${inner}</figure>\n`;
}

/** A listing of Essence, which can be edited and, if it is a model without parameters, run. */
function listing(text: string, name: string, mistake: boolean): string {
  const isModel = /^\s*(find|such\s+that|given|minimi[sz]ing|maximi[sz]ing)\b/m.test(text) && !/\.(param|solution)$/.test(name);
  const attributes: Record<string, string> = { name, kind: isModel ? "model" : "data" };
  if (isModel && !/^\s*given\b/m.test(text) && /^\s*find\b/m.test(text) && !mistake) attributes.run = "";
  return figure("listing", attributes, name, `<pre tabindex="0"><code class="essence">${coloured(text)}</code></pre>`);
}

/** A command with its recorded output. */
function session(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const asked = lines.filter((line) => line.startsWith("$ conjure-like ")).map((line) => command(line.slice(2)));
  if (!lines[0]?.startsWith("$ conjure-like ") || asked.includes(null)) return figure("console", {}, "", `<pre class="plain" tabindex="0"><code>${escaped(text)}</code></pre>`);
  const shown = `<pre class="plain typed"><code>${escaped(lines[0] ?? "")}</code></pre>`;
  const recorded =
    lines.length > 1 ? `<pre class="plain recorded" tabindex="0"><code>${escaped(lines.slice(1).join("\n"))}</code></pre>` : "";
  return figure("console", { commands: JSON.stringify(asked) }, "", shown + recorded);
}

/**
 * The target of a link: documents lead to pages, models to the playground; `null` for other files of the repository,
 * which the site does not have.
 */
function target(href: string, from: string, known: Map<string, string>): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const [to = "", anchor] = href.split("#");
  const path = join(from, "..", to);
  const name = known.get(path);
  if (name) return `${name}.html${anchor === undefined ? "" : `#${anchor}`}`;
  const model = /^models\/([\w-]+)\.essence$/.exec(path)?.[1];
  return model ? `../index.html#example=${model}` : null;
}

function document(
  markdown: string,
  path: string,
  known: Map<string, string>,
  root: string,
): { html: string; contents: { id: string; title: string }[]; sections: { id: string; heading: string; words: string }[] } {
  const reader = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const contents: { id: string; title: string }[] = [];
  const sections: { id: string; heading: string; words: string }[] = [];
  const taken = new Set<string>();
  const { rules } = reader.renderer;
  rules.fence = (all, index) => {
    const one = all[index];
    const [language = "", name = ""] = (one?.info ?? "").trim().split(/\s+/);
    const text = one?.content ?? "";
    if (language === "essence" || language === "param") return listing(text, name === "mistake" ? "" : name, name === "mistake");
    if (language === "console" || (language === "sh" && /^conjure-like [^\n]*\n$/.test(text)))
      return session(language === "sh" ? `$ ${text}` : text);
    return `<pre class="plain" tabindex="0"><code>${escaped(text)}</code></pre>\n`;
  };
  rules.heading_open = (all, index) => {
    const one = all[index];
    const plain = (all[index + 1]?.content ?? "").replace(/[`*]|\[|\]\([^)]*\)/g, "");
    let id = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    while (taken.has(id)) id += "-1";
    taken.add(id);
    if (one?.tag === "h2") contents.push({ id, title: escaped(plain) });
    sections.push({ id, heading: plain, words: textUpToHeading(all, index + 3) });
    return `<${one?.tag} id="${escaped(id)}">`;
  };
  rules.table_open = () => '<div class="scrolled" tabindex="0" role="region" aria-label="Table"><table>';
  rules.table_close = () => "</table></div>";
  rules.image = (all, index) => {
    const one = all[index];
    const file = join(root, path, "..", String(one?.attrGet("src") ?? ""));
    const alt = escaped(one?.content ?? "");
    return existsSync(file) && file.endsWith(".svg")
      ? `<img class="picture" alt="${alt}" src="data:image/svg+xml;base64,${readFileSync(file).toString("base64")}">`
      : alt;
  };
  // A link without a target is shown as its text.
  const open: boolean[] = [];
  rules.link_open = (all, index) => {
    const to = target(String(all[index]?.attrGet("href") ?? ""), path, known);
    open.push(to !== null);
    return to === null ? "" : `<a href="${escaped(to)}">`;
  };
  rules.link_close = () => (open.pop() ? "</a>" : "");
  return { html: reader.render(markdown), contents, sections };
}

/** The text of a section, from a token to the next heading. */
function textUpToHeading(all: Token[], from: number): string {
  const end = all.findIndex((token, at) => at >= from && token.type === "heading_open");
  const inside = all.slice(from, end < 0 ? undefined : end);
  return inside.map(({ content }) => content).join("\n");
}
