// The pane with the results: a tab for each part, and one button that runs the current part or stops the run.

import type { Bench, Part } from "./bench";
import { h, icon } from "./dom";
import { run, type Run } from "./engine";
import type { Answer, Request } from "../../npm/src/protocol";
import { Tabs } from "./tabs";
import { texts } from "./texts";

export class ResultPane {
  readonly element = h("section", { class: "result pane", "aria-label": texts.result });
  #status = h("p", { class: "run-status", role: "status", "aria-live": "polite" });
  #go: HTMLButtonElement[] = [];
  #main: HTMLButtonElement | undefined;
  #running: Run<unknown> | null = null;
  #enough = false;
  #parts: Part[] = [];
  #tabs: Tabs | undefined;
  #makers: ((bench: Bench) => Part)[];
  #beforeRun: () => void;

  constructor(makers: ((bench: Bench) => Part)[], beforeRun: () => void) {
    this.#makers = makers;
    this.#beforeRun = beforeRun;
  }

  /** A button that runs the current part, or stops the run. */
  runButton(): HTMLButtonElement {
    const made = h("button", { class: "primary go", onclick: () => (this.#running ? this.#running.stop() : void this.run()) });
    this.#go.push(made);
    this.#draw();
    return made;
  }

  /** Makes the parts again for new texts; the current tab stays. */
  lay(bench: Bench): void {
    const chosen = this.#tabs?.current;
    this.#running?.stop();
    for (const part of this.#parts) part.close?.();
    this.#parts = this.#makers.map((make) => make(bench));
    const panels = this.#parts.map(({ id, title, options, body }) => {
      const output = h("div", { class: "output", tabIndex: 0, role: "region", "aria-label": texts.resultsOf(title) }, body);
      return { id, title, panel: h("div", { class: "panel" }, options, output) };
    });
    this.#tabs = new Tabs(texts.result, panels, () => {
      this.#draw();
      this.#part?.opened?.();
    });
    this.#main ??= this.runButton();
    this.element.replaceChildren(
      h("h2", { class: "hidden" }, texts.result),
      h("div", { class: "pane-head" }, this.#tabs.list, this.#main),
      ...panels.map(({ panel }) => panel),
      h("div", { class: "foot-line" }, this.#status),
    );
    this.#status.textContent = "";
    if (chosen && chosen !== this.#tabs.current) this.#tabs.turnTo(chosen);
    else this.#part?.opened?.();
    this.#draw();
  }

  get #part(): Part | undefined {
    return this.#parts.find(({ id }) => id === this.#tabs?.current);
  }

  turnTo(id: string): void {
    this.#tabs?.turnTo(id);
  }

  async run(): Promise<void> {
    this.#beforeRun();
    await this.show();
  }

  /** Runs the current part, without `beforeRun`. */
  async show(): Promise<void> {
    await this.#part?.run();
  }

  /** Marks the results as stale because the texts have changed. */
  stale(): void {
    for (const part of this.#parts) {
      if (part.changed) part.changed(part === this.#part);
      else part.body.classList.add("stale");
    }
  }

  /** Ends a run whose output is enough; the reader sees it as done, not as stopped. */
  enough(): void {
    this.#enough = true;
    this.#running?.stop();
  }

  async start<Result>(request: Request, onLine?: (line: { type: string }) => void): Promise<Answer<Result> | null> {
    const began = performance.now();
    const passed = () => (performance.now() - began) / 1000;
    this.#part?.body.classList.remove("stale");
    const mine = run<Result>(request, onLine);
    this.#running = mine;
    this.#enough = false;
    this.#draw();
    // Screen readers should not read the running clock.
    this.#status.setAttribute("aria-live", "off");
    const tick = () => (this.#status.textContent = texts.running(passed()));
    const timer = setInterval(tick, 100);
    tick();
    const answer = await mine.answer;
    clearInterval(timer);
    if (this.#running === mine) {
      this.#running = null;
      this.#status.setAttribute("aria-live", "polite");
      this.#status.textContent = answer || this.#enough ? texts.done(passed()) : texts.stopped;
      this.#draw();
    }
    return answer;
  }

  #draw(): void {
    const runs = this.#running !== null;
    this.element.classList.toggle("running", runs);
    for (const go of this.#go) {
      go.classList.toggle("stopping", runs);
      go.replaceChildren(icon(runs ? "stop" : "play"), runs ? texts.stop : (this.#part?.action ?? ""));
    }
  }
}
