// Dialogs over the page: examples, sharing, the history, settings.

import { clear, copied, dialog, h, iconButton, picture } from "./dom";
import { examples, workOf } from "./examples";
import { forgetVersions, versions, type Version } from "./history";
import { keyTable } from "./keys";
import { linkTo } from "./sharing";
import { texts } from "./texts";
import type { Work } from "./work";

export function chooseExample(open: (work: Work) => void): void {
  const list = h("div", { class: "groups" }, h("p", { class: "quiet" }, texts.loading));
  const find = h("input", { type: "search", placeholder: texts.examples.find, "aria-label": texts.examples.find });
  const made = dialog(texts.examples.title, "wide", find, list);
  examples().then(
    (groups) => {
      const draw = () => {
        const wanted = find.value.trim().toLowerCase();
        clear(list);
        for (const group of groups) {
          const fitting = group.examples.filter((one) => `${one.title} ${one.name} ${one.about}`.toLowerCase().includes(wanted));
          if (fitting.length === 0) continue;
          const cards = fitting.map((one) => {
            const about = [h("strong", {}, one.title), h("span", { class: "about" }, one.about)];
            const { length } = one.instances;
            const count = length > 1 && h("span", { class: "count" }, texts.examples.instances(length));
            const onclick = () => (made.close(), open(workOf(one)));
            return h("button", { class: "card", onclick }, h("span", { class: "thumbnail" }, one.svg && picture(one.svg, "")), ...about, count);
          });
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

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

export async function share(work: Work): Promise<void> {
  const here = new URL(location.href);
  const link = await linkTo(new URL("index.html", here), work);
  const frame = await linkTo(new URL("embed.html", here), work);
  const script = new URL("cell.js", here).href;
  const readOnly = h("input", { type: "checkbox" });
  const plays = h("input", { type: "checkbox" });
  const embedding = h("div", {});
  const draw = () => {
    const source = `${frame}${readOnly.checked ? "&readonly" : ""}${plays.checked ? "&view=play" : ""}`;
    const attributes = `${readOnly.checked ? " readonly" : ""}${plays.checked ? ' view="play"' : ""}`;
    const held = (type: string, text: string | undefined) =>
      text === undefined ? "" : `<script type="text/${type}">\n${text.replaceAll("</", "<\\/").trimEnd()}\n</script>\n`;
    const cell =
      `<script src="${escaped(script)}" defer></script>\n<essence-cell name="${escaped(work.name)}"${attributes}>\n` +
      held("essence", work.model) +
      held("essence-data", work.data[work.current]?.text) +
      held("essence-set", work.set?.join("\n")) +
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
  for (const one of [readOnly, plays]) one.addEventListener("change", draw);
  draw();
  dialog(
    texts.share.title,
    "",
    h("p", {}, texts.share.about),
    copied(texts.share.link, link, 3),
    link.length > 8000 ? h("p", { class: "quiet" }, texts.share.long(link.length)) : null,
    h("hr", {}),
    h("p", {}, texts.share.embedding),
    h("div", { class: "fields" }, h("label", { class: "check" }, plays, texts.share.plays), h("label", { class: "check" }, readOnly, texts.share.readOnly)),
    embedding,
  );
}

export function showHistory(open: (work: Work) => void): void {
  const list = h("ul", { class: "versions" });
  const made = dialog(texts.history.title, "", h("p", { class: "quiet" }, texts.history.about), list);
  const draw = () => {
    const item = ({ time, work }: Version) => {
      const about = [h("strong", {}, work.name || texts.untitled), h("time", {}, texts.time(time))];
      const first = h("span", { class: "first" }, [firstLine(work.model), work.set && texts.history.set(work.set.length)].filter(Boolean).join(" · "));
      return h("li", {}, h("button", { class: "version", onclick: () => (made.close(), open(work)) }, ...about, first));
    };
    const kept = versions();
    const forget = iconButton("close", texts.history.forget, "quiet", () => (forgetVersions(), draw()));
    const last = kept.length === 0 ? h("li", { class: "quiet" }, texts.history.none) : h("li", { class: "last" }, forget);
    list.replaceChildren(...kept.map(item), last);
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
    h("section", {}, h("h3", {}, texts.settings.keysTitle), keyTable(texts.settings.keys)),
  );
}
