// The solution space: the number of solutions, and the possible values.

import type { Bench, Part } from "../bench";
import { clear, h } from "../dom";
import { ask } from "../engine";
import type { ExploreResult, InstanceResult } from "../../../npm/src/protocol";
import { diagnostics, laboratory } from "../results";
import { texts } from "../texts";

export function explorePart(bench: Bench): Part {
  const body = h("div", {}, h("div", { class: "empty" }, h("p", {}, texts.explore.empty)));

  async function run(): Promise<void> {
    clear(body);
    const request = bench.request("explore");
    const { limit } = bench.work.settings;
    if (limit > 0) Object.assign(request, { limit });
    const answer = await bench.start<ExploreResult>(request);
    if (!answer) {
      body.append(h("p", { class: "quiet" }, texts.stopped));
    } else if (answer.type === "failure") {
      body.append(diagnostics(answer.diagnostics, bench));
    } else {
      const instance = await ask<InstanceResult>(bench.request("instance"), "explored instance");
      body.append(h("p", { class: "verdict" }, texts.explore.says(answer, instance?.type === "result" && instance.optimising)));
      if (answer.page) body.append(laboratory(answer.page, texts.explore.frame));
    }
  }

  return { id: "explore", title: texts.explore.title, action: texts.explore.action, options: h("div", {}), body, run };
}
