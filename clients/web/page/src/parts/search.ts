// The search laboratory: textbook strategies, step by step and side by side.

import type { Bench, Part } from "../bench";
import { choice, clear, h } from "../dom";
import type { SearchResult } from "../../../npm/src/protocol";
import { diagnostics, laboratory, searchTable } from "../results";
import { texts } from "../texts";

export function searchPart(bench: Bench): Part {
  const chosen = { inference: "fc", order: "mrv", values: "" };
  let binary = false;
  const body = h("div", {});
  const check = h("input", { type: "checkbox", onchange: () => (binary = check.checked) });
  const compare = h("button", { class: "secondary", onclick: () => void search("compare") }, texts.search.compare);
  const options = h(
    "div",
    { class: "options" },
    choice(texts.search.inference, texts.search.inferences, chosen.inference, (value) => (chosen.inference = value)),
    choice(texts.search.order, texts.search.orders, chosen.order, (value) => (chosen.order = value)),
    choice(texts.search.values, texts.search.valueOrders, chosen.values, (value) => (chosen.values = value)),
    h("label", { class: "check", title: texts.search.binaryMeaning }, check, texts.search.binary),
    compare,
  );

  async function search(strategies: string[] | "compare"): Promise<void> {
    clear(body);
    const request = { ...bench.request("search"), strategies, binary, page: true };
    const { limit } = bench.work.settings;
    if (limit > 0) Object.assign(request, { limit });
    const answer = await bench.start<SearchResult>(request);
    if (!answer) {
      body.append(h("p", { class: "quiet" }, texts.stopped));
    } else if (answer.type === "failure") {
      body.append(diagnostics(answer.diagnostics, bench));
    } else {
      const frame = answer.page ? laboratory(answer.page, texts.search.frame) : "";
      const table = searchTable(answer.searched);
      // Runs are watched, so the frame comes first; comparisons are read in the table.
      body.append(...(strategies === "compare" ? [table, frame] : [frame, table]));
    }
  }

  body.append(h("div", { class: "empty" }, h("p", {}, texts.search.empty)));
  const run = () => search([Object.values(chosen).filter(Boolean).join("+")]);
  return { id: "search", title: texts.search.title, action: texts.search.action, options, body, run };
}
