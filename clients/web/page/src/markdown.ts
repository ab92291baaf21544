// The subset of Markdown that the engine uses in explanations: paragraphs, code, emphasis. Everything becomes text
// nodes.

import { h } from "./dom";

function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).map((part) => {
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) return h("strong", {}, part.slice(2, -2));
    if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) return h("em", {}, part.slice(1, -1));
    return part;
  });
}

export function markdown(source: string): HTMLElement {
  const box = h("div", { class: "markdown" });
  for (const [position, part] of source.split(/^```.*$/m).entries()) {
    if (position % 2 === 1) {
      box.append(h("pre", {}, part.replace(/^\n|\n$/g, "")));
      continue;
    }
    for (const paragraph of part.split(/\n\s*\n/)) {
      if (/^\s*(---\s*)?$/.test(paragraph)) continue;
      const items = paragraph.split("\n");
      if (items.every((item) => /^\s*[-*] /.test(item))) {
        box.append(h("ul", {}, ...items.map((item) => h("li", {}, ...inline(item.replace(/^\s*[-*] /, ""))))));
      } else {
        box.append(h("p", {}, ...inline(paragraph.replace(/^#+ /, "").trim())));
      }
    }
  }
  return box;
}
