// What opens over the page: examples, sharing, the history, settings.

import { announce, button, clear, dialog, h, iconButton, picture } from "./dom";
import { examples, workOf } from "./examples";
import { forgetVersions, versions } from "./history";
import { copy } from "./results";
import { linkTo } from "./sharing";
import { texts } from "./texts";
import type { Work } from "./work";

export function chooseExample(open: (work: Work) => void): void {
  const list = h("div", { class: "groups" }, h("p", { class: "quiet" }, texts.loading));
  const find = h("input", { type: "search", placeholder: texts.examples.find, attributes: { "aria-label": texts.examples.find } });
  const made = dialog(texts.examples.title, "wide", find, list);
  examples().then(
    (groups) => {
      const draw = () => {
        const wanted = find.value.trim().toLowerCase();
        clear(list);
        for (const group of groups) {
          const fitting = group.examples.filter((one) => `${one.title} ${one.name} ${one.about}`.toLowerCase().includes(wanted));
          if (fitting.length === 0) continue;
          const cards = fitting.map((one) =>
            h(
              "button",
              { type: "button", class: "card", on: { click: () => (made.close(), open(workOf(one))) } },
              h("span", { class: "thumbnail" }, one.svg ? picture(one.svg, "") : null),
              h("strong", {}, one.title),
              h("span", { class: "about" }, one.about),
              one.instances.length > 1 ? h("span", { class: "count" }, texts.examples.instances(one.instances.length)) : null,
            ),
          );
          list.append(h("section", {}, h("h3", {}, group.title), h("div", { class: "cards" }, ...cards)));
        }
        if (!list.firstChild) list.append(h("p", { class: "quiet" }, texts.examples.none));
      };
      find.addEventListener("input", draw);
      draw();
      find.focus();
    },
    () => list.replaceChildren(h("p", {}, texts.examples.missing)),
  );
}

function copied(label: string, text: string, rows: number): HTMLElement {
  const area = h("textarea", { class: "code", rows, readOnly: true, value: text, attributes: { "aria-label": label } });
  area.addEventListener("focus", () => area.select());
  return h(
    "div",
    { class: "copied" },
    h("h3", {}, label),
    area,
    button(texts.share.copy, "secondary", () => void copy(text).then(() => announce(texts.copied))),
  );
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

export async function share(work: Work): Promise<void> {
  const here = new URL(location.href);
  const link = await linkTo(new URL("index.html", here), work);
  const frame = await linkTo(new URL("embed.html", here), work);
  const script = new URL("cell.js", here).href;
  const readOnly = h("input", { type: "checkbox" });
  const embedding = h("div", {});
  const draw = () => {
    const source = readOnly.checked ? `${frame}&readonly` : frame;
    const data = work.data[work.current];
    const cell =
      `<script src="${escaped(script)}" defer></script>\n<essence-cell name="${escaped(work.name)}"${readOnly.checked ? " readonly" : ""}>\n` +
      `<script type="text/essence">\n${work.model.replaceAll("</", "<\\/").trimEnd()}\n</script>\n` +
      (data ? `<script type="text/essence-data">\n${data.text.replaceAll("</", "<\\/").trimEnd()}\n</script>\n` : "") +
      `</essence-cell>`;
    embedding.replaceChildren(
      copied(
        texts.share.frame,
        `<iframe src="${escaped(source)}" title="${escaped(work.name)}" width="100%" height="520" style="border: 0" allow="clipboard-write"></iframe>`,
        3,
      ),
      copied(texts.share.cell, cell, 5),
    );
  };
  readOnly.addEventListener("change", draw);
  draw();
  dialog(
    texts.share.title,
    "",
    h("p", {}, texts.share.about),
    copied(texts.share.link, link, 3),
    link.length > 8000 ? h("p", { class: "quiet" }, texts.share.long(link.length)) : null,
    h("hr", {}),
    h("p", {}, texts.share.embedding),
    h("label", { class: "check" }, readOnly, texts.share.readOnly),
    embedding,
  );
}

export function showHistory(open: (work: Work) => void): void {
  const list = h("ul", { class: "versions" });
  const made = dialog(texts.history.title, "", h("p", { class: "quiet" }, texts.history.about), list);
  const draw = () => {
    const kept = versions();
    list.replaceChildren(
      ...kept.map(({ time, work }) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "version", on: { click: () => (made.close(), open(work)) } },
            h("strong", {}, work.name || texts.untitled),
            h("time", {}, texts.time(time)),
            h("span", { class: "first" }, firstLine(work.model)),
          ),
        ),
      ),
    );
    if (kept.length === 0) list.append(h("li", { class: "quiet" }, texts.history.none));
    else
      list.append(
        h(
          "li",
          { class: "last" },
          iconButton("close", texts.history.forget, "quiet", () => (forgetVersions(), draw())),
        ),
      );
  };
  draw();
}

const firstLine = (model: string) =>
  (model.split("\n").find((line) => line.trim() && !/^\s*(\$|language)/.test(line)) ?? "").trim().slice(0, 90);

export function showSettings(work: Work, changed: () => void): void {
  const { settings } = work;
  const limit = h("input", { type: "number", min: "0", max: "3600", step: "1", value: String(settings.limit) });
  const seed = h("input", { type: "number", step: "1", value: settings.seed === null ? "" : String(settings.seed) });
  limit.addEventListener("change", () => {
    settings.limit = Math.max(0, Number(limit.value) || 0);
    changed();
  });
  seed.addEventListener("change", () => {
    settings.seed = seed.value.trim() === "" ? null : Math.trunc(Number(seed.value)) || 0;
    changed();
  });
  const field = (label: string, help: string, input: HTMLInputElement) =>
    h("label", { class: "field" }, h("span", {}, label), input, h("small", {}, help));
  dialog(
    texts.settings.title,
    "",
    field(texts.settings.limit, texts.settings.limitHelp, limit),
    field(texts.settings.seed, texts.settings.seedHelp, seed),
    keys(),
  );
}

function keys(): HTMLElement {
  const rows = texts.settings.keys.map(([key, what]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, what)));
  return h("section", {}, h("h3", {}, texts.settings.keysTitle), h("table", { class: "keys" }, h("tbody", {}, ...rows)));
}
