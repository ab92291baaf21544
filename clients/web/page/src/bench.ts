// The interface between the parts of the result pane and the page around them.

import type { Answer, Change, Place, Request } from "../../npm/src/protocol";
import type { Work } from "./work";

export interface Bench {
  work: Work;
  /** The visible solution, in Essence; `null` if these texts have none. */
  solution: string | null;
  request(verb: string): Request;
  /** Runs a request, shows its progress, and lets the user stop it; `null` if it was stopped. */
  start<Result>(request: Request, onLine?: (line: { type: string }) => void): Promise<Answer<Result> | null>;
  /** Ends a run whose output so far is enough. */
  enough(): void;
  /** Marks places in the texts; `reveal` also shows the text with the first of them. */
  show(places: Place[], reveal: boolean): void;
  /** Applies a change to a copy, and solves it; absent if texts are read-only. */
  tryOut?(change: Change): void;
  /** Adds lines at the end of the model; absent if texts are read-only. */
  add?(lines: string): void;
  /** Opens another part and runs it. */
  turnTo(part: string): void;
  /** Called when settings have changed. */
  changed(): void;
  /** Saves the work after a change of the set values; absent if nothing is saved. */
  keep?(): void;
}

export interface Part {
  id: string;
  title: string;
  /** The label of the button that runs the part. */
  action: string;
  options: HTMLElement;
  body: HTMLElement;
  run(): Promise<void>;
  /** Called when the reader opens the part. */
  opened?(): void;
  /** Called when the texts have changed, so that the results may be stale; by default they fade. */
  changed?(isShown: boolean): void;
  /** Called before another part replaces this one. */
  close?(): void;
}
