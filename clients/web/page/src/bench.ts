// What the parts of the result pane may ask of the page around them.

import type { Answer, Change, Place, Request } from "../../npm/src/protocol";
import type { Work } from "./work";

export interface Bench {
  work: Work;
  /** The solution that is shown, in Essence; `null` if there is none for these texts. */
  solution: string | null;
  request(verb: string): Request;
  /** Runs a request, shows that it runs, and lets it be stopped; `null` if it was. */
  start<Result>(request: Request, onLine?: (line: { type: string }) => void): Promise<Answer<Result> | null>;
  /** Ends a run that has told enough. */
  enough(): void;
  /** Marks places in the texts; `reveal` also brings the text with the first of them to the front. */
  show(places: Place[], reveal: boolean): void;
  /** Carries out a change in a copy, and solves it; left out where texts cannot be changed. */
  tryOut?(change: Change): void;
  /** Opens another part and runs it. */
  turnTo(part: string): void;
  /** Settings were changed. */
  changed(): void;
  /** Keeps the work after a change of what is set; left out where nothing is kept. */
  keep?(): void;
}

export interface Part {
  id: string;
  title: string;
  /** The label of the button that runs it. */
  action: string;
  options: HTMLElement;
  body: HTMLElement;
  run(): Promise<void>;
  /** Called when the reader turns to it. */
  opened?(): void;
  /** The texts have changed, so that what is shown may no longer fit; without this, it fades. */
  changed?(isShown: boolean): void;
  /** Called when another part takes its place. */
  close?(): void;
}
