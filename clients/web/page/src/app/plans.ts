// The user's plans: data and set values of the board, under a name. The browser stores them, if it permits storage,
// under a key for each app. Undo and redo cover all changes of a plan.

import type { Json } from "../../../npm/src/protocol";
import { keep, kept } from "../storage";

export interface State {
  values: { [name: string]: Json };
  set: string[];
  /** The lines of the requirements that are switched off. */
  off?: number[];
}

export interface Plan {
  name: string;
  state: State;
}

const MOST_STEPS = 300;

export class Plans {
  #plans: Plan[];
  #current = 0;
  #before: string[] = [];
  #after: string[] = [];
  #stepped = { at: 0, what: "" };
  /** True if the browser stores the plans. */
  kept = true;

  constructor(
    readonly key: string,
    first: Plan[],
  ) {
    this.#plans = read(kept(key)) ?? first;
    const chosen = Number(kept(`${key}.current`) ?? 0);
    if (this.#plans[chosen]) this.#current = chosen;
  }

  get names(): string[] {
    return this.#plans.map(({ name }) => name);
  }

  get current(): Plan {
    return this.#plans[this.#current] as Plan;
  }

  get position(): number {
    return this.#current;
  }

  #keep(): void {
    this.kept = keep(this.key, JSON.stringify(this.#plans)) && keep(`${this.key}.current`, String(this.#current));
  }

  /** Replaces the current state. Quick successive changes of the same thing are one step of undo. */
  change(state: State, what: string): void {
    const now = performance.now();
    if (now - this.#stepped.at > 1500 || what !== this.#stepped.what) {
      this.#before.push(JSON.stringify(this.current.state));
      if (this.#before.length > MOST_STEPS) this.#before.shift();
    }
    this.#stepped = { at: now, what };
    // A new change invalidates what could be redone.
    this.#after = [];
    this.current.state = structuredClone(state);
    this.#keep();
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  get canRedo(): boolean {
    return this.#after.length > 0;
  }

  #step(from: string[], to: string[]): boolean {
    const state = from.pop();
    if (state === undefined) return false;
    to.push(JSON.stringify(this.current.state));
    this.current.state = JSON.parse(state) as State;
    // The next change must not be merged into a step that was undone.
    this.#stepped = { at: 0, what: "" };
    this.#keep();
    return true;
  }

  undo = (): boolean => this.#step(this.#before, this.#after);
  redo = (): boolean => this.#step(this.#after, this.#before);

  choose(position: number): void {
    if (!this.#plans[position]) return;
    this.#current = position;
    [this.#before, this.#after] = [[], []];
    this.#keep();
  }

  add(plan: Plan): void {
    let name = plan.name;
    for (let number = 2; this.names.includes(name); number++) name = `${plan.name} ${number}`;
    this.#plans.push({ name, state: structuredClone(plan.state) });
    this.choose(this.#plans.length - 1);
  }

  rename(name: string): void {
    this.current.name = name;
    this.#keep();
  }

  remove(): void {
    // There is always a current plan.
    if (this.#plans.length < 2) return;
    this.#plans.splice(this.#current, 1);
    this.choose(Math.max(0, this.#current - 1));
  }
}

/** The plan in a text or a link; `null` if it is not a plan. */
export function asPlan(value: unknown): Plan | null {
  if (typeof value !== "object" || value === null) return null;
  const { name, state } = value as Partial<Plan>;
  if (typeof name !== "string" || typeof state !== "object" || state === null) return null;
  const { values, set, off } = state as Partial<State>;
  if (typeof values !== "object" || values === null || !Array.isArray(set)) return null;
  return { name, state: { values, set: set.map(String), ...(Array.isArray(off) && off.length > 0 ? { off: off.map(Number) } : {}) } };
}

function read(text: string | null): Plan[] | null {
  try {
    const all: unknown = JSON.parse(text ?? "null");
    const plans = Array.isArray(all) ? all.flatMap((one) => asPlan(one) ?? []) : [];
    return plans.length > 0 ? plans : null;
  } catch {
    return null;
  }
}
