// The steps of a run: the tree that they traverse, the counts, and the state after each of them.

import type { SearchEvent, SearchRun } from "./data";
import { data, equation, nameOf, removals, valuesOf } from "./network";

/** The event of step 0, before the run. */
const START: SearchEvent = ["n"];

/** An assignment. In the list of all nodes, its descendants follow it directly. */
export interface TreeNode {
  id: number;
  label: string;
  value: string;
  parent: TreeNode | null;
  children: TreeNode[];
  depth: number;
  /** The number of nodes below. */
  size: number;
  /** The steps in which the node is entered and left, in which it fails, and in which a solution is found below it. */
  enter: number;
  leave: number;
  deadAt: number;
  goodAt: number;
}

/** The number of these steps up to `step`. */
export const taken = (steps: number[], step: number): number => steps.findLastIndex((at) => at <= step) + 1;

export class Trace {
  readonly nodes: TreeNode[] = [];
  /** The node after each step. */
  readonly here: TreeNode[] = [];
  /** The steps with an assignment, with a dead end, with a solution, and the stops of the buttons. */
  readonly moves: number[] = [0];
  readonly dead: number[] = [];
  readonly solutions: number[] = [];
  readonly stops: number[] = [0];
  /** The dead ends below an assignment. */
  #ends: number[] = [];
  #pruned: number[] = [];
  #checks: number[] = [0];
  /** The step up to which the run was replayed; the fields below are the state there. */
  #at = Infinity;
  /** 1 for each remaining value. */
  #left: Uint8Array[] = [];
  /** The position of the value of each variable; -1 if unassigned. */
  #assigned: number[] = [];
  /** The values that each assignment has removed. */
  #removed: [variable: number, position: number][][] = [];

  constructor(readonly run: SearchRun) {
    const { nodes, here, moves, dead, solutions, stops } = this;
    const add = (label: string, value: string, parent: TreeNode | null, enter: number) => {
      const [id, depth, never] = [nodes.length, parent ? parent.depth + 1 : 0, Infinity];
      const node = { id, label, value, parent, children: [], depth, size: 0, enter, leave: never, deadAt: never, goodAt: never };
      parent?.children.push(node);
      nodes.push(node);
      return node;
    };
    let node: TreeNode = add("start", "", null, 0);
    here.push(node);
    for (const [index, [kind, variable, position, reason]] of run.events.entries()) {
      const at = index + 1;
      this.#checks.push(this.#checks[index] + run.checksBefore[index]);
      if (kind === "a") {
        node = add(equation(variable, position), valuesOf(variable)[position], node, at);
        moves.push(at);
      } else if (kind === "u") {
        node.leave = at;
        node = node.parent ?? node;
      } else if (kind === "s") {
        solutions.push(at);
        for (let up: TreeNode | null = node; up && up.goodAt === Infinity; up = up.parent) up.goodAt = at;
      } else if (kind === "p") {
        this.#pruned.push(at);
      } else {
        dead.push(at);
        if (node.parent) this.#ends.push(at);
        node.deadAt = Math.min(node.deadAt, at);
      }
      // Removals for one reason form one stop.
      const next = run.events[at];
      if (kind !== "p" || next?.[0] !== "p" || next[3] !== reason) stops.push(at);
      here.push(node);
    }
    if (!run.truncated) this.#checks[run.events.length] = run.checks;
    for (const one of nodes.slice(1).reverse()) if (one.parent) one.parent.size += one.size + 1;
  }

  get last(): number {
    return this.run.events.length;
  }

  /** The counts after a step: keys, labels and numbers. */
  counts(step: number): [key: string, words: string, count: number][] {
    return [
      ["nodes", "nodes", taken(this.moves, step) - 1],
      ["dead", "dead ends", taken(this.#ends, step)],
      ["checks", "checks", this.#checks[step]],
      ["pruned", "removed values", taken(this.#pruned, step)],
      ...(data.objective ? [["solutions", "solutions", taken(this.solutions, step)] as [string, string, number]] : []),
    ];
  }

  /** The best solution after a step, and the bound at its node. */
  objective(step: number): { best: string | null; bound: string | null; points: [step: number, value: number][] } {
    const { bounds } = this.run;
    const steps = bounds.map(([at]) => at);
    const upTo = (at: number) => taken(steps, at) - 1;
    const boundOf = (node: TreeNode) => {
      // The bound of a node is recorded before its first child is entered, or before it is left.
      const at = upTo(Math.min(step, node.children[0] ? node.children[0].enter - 1 : node.leave - 1));
      return at >= 0 && bounds[at][0] >= node.enter ? bounds[at][1] : null;
    };
    let bound: string | null = null;
    for (let node: TreeNode | null = this.here[step]; node && bound === null; node = node.parent) bound = boundOf(node);
    const found = this.solutions.slice(0, taken(this.solutions, step)).map((at): [number, string] => [at, bounds[upTo(at)]?.[1]]);
    const points = found.map(([at, value]): [number, number] => [at, parseFloat(value)]).filter(([, value]) => Number.isFinite(value));
    return { best: found.at(-1)?.[1] ?? null, bound, points };
  }

  /** Replays the run up to this step, from the start if the state is already beyond it. */
  #run(step: number): void {
    // Removals can only be undone in order, so an earlier step needs a new start.
    if (step < this.#at) {
      this.#left = data.variables.map(([, values]) => new Uint8Array(values.length).fill(1));
      this.#assigned = data.variables.map(() => -1);
      this.#removed = [];
      this.#at = 0;
    }
    for (; this.#at < step; this.#at++) {
      const [kind, variable, position] = this.run.events[this.#at];
      if (kind === "a") {
        this.#removed.push([]);
        this.#assigned[variable] = position;
      } else if (kind === "p" && this.#left[variable][position]) {
        this.#left[variable][position] = 0;
        this.#removed.at(-1)?.push([variable, position]);
      } else if (kind === "u") {
        for (const [other, value] of this.#removed.pop() ?? []) this.#left[other][value] = 1;
        this.#assigned[variable] = -1;
      }
    }
  }

  /** The removals for one reason that a step completes, latest first, and the constraint of the step. */
  #news(step: number): { fresh: [variable: number, position: number][]; constraint: number | null } {
    const { events } = this.run;
    const [kind, about] = events[step - 1] ?? START;
    const fresh: [number, number][] = [];
    if (!"pwv".includes(kind)) return { fresh, constraint: null };
    let reason: number | null = null;
    for (let at = step - 1; at >= 0 && "pwv".includes(events[at][0]); at--) {
      const [one, variable, position, because] = events[at];
      if (one !== "p") continue;
      reason ??= because;
      // Earlier removals have another reason.
      if (because !== reason) break;
      fresh.push([variable, position]);
    }
    return { fresh, constraint: kind === "v" ? about : reason };
  }

  /** The state that a picture of a step needs. */
  look(step: number): Look {
    this.#run(step);
    const [left, assigned] = [this.#left, this.#assigned];
    const { fresh, constraint } = this.#news(step);
    const [kind, about] = this.run.events[step - 1] ?? START;
    const node = this.here[step];
    const current = kind === "u" ? about : node.parent ? this.run.events[node.enter - 1][1] : null;
    const empty = kind === "w" ? about : null;
    const news = new Set(fresh.map(String));
    return {
      left,
      assigned,
      fresh,
      scope: constraint === null ? [] : data.constraints[constraint][1],
      kind: (variable) => (variable === empty ? "empty" : variable === current ? "current" : assigned[variable] >= 0 ? "assigned" : ""),
      value(variable) {
        const first = left[variable].indexOf(1);
        if (assigned[variable] >= 0) return assigned[variable];
        return first >= 0 && left[variable].indexOf(1, first + 1) < 0 ? first : -1;
      },
      has: (variable, position) => (assigned[variable] < 0 ? left[variable][position] === 1 : assigned[variable] === position),
      isFresh: (variable, position) => news.has(`${variable},${position}`),
    };
  }

  /** Describes a step, and the reason for it. */
  words(step: number, { left, fresh }: Look): [what: string, why: string] {
    if (step === 0) return [this.last > 0 ? "Before the first step" : this.run.verdict, "Every variable has all its values."];
    const [kind, variable, position, reason] = this.run.events[step - 1];
    const text = (constraint: number) => data.constraints[constraint][0];
    if (kind === "a") {
      const count = size(left[variable]);
      return [`try ${equation(variable, position)}`, count === 1 ? "the only value that is left" : `one of ${count} values that are left`];
    }
    if (kind === "p") return [removals([...fresh].reverse()), text(reason)];
    if (kind === "v") return ["violated", text(variable)];
    if (kind === "w") return [`no value is left for ${nameOf(variable)}`, "dead end"];
    if (kind === "n") return ["no better solution is possible here", "the bound is not better than the best solution so far"];
    if (kind === "s") return ["solution", data.objective ? "the best one so far" : ""];
    return [`back: ${equation(variable, position)} is taken back`, ""];
  }
}

/** A state for drawing. */
export interface Look {
  left: Uint8Array[];
  assigned: number[];
  /** The new removals. */
  fresh: [variable: number, position: number][];
  /** The variables of the constraint of the step. */
  scope: number[];
  /** The role of a variable in the search. */
  kind(variable: number): "" | "assigned" | "current" | "empty";
  /** The position of the only value; -1 if there are several. */
  value(variable: number): number;
  has(variable: number, position: number): boolean;
  isFresh(variable: number, position: number): boolean;
}

/** The number of remaining values. */
export const size = (left: Uint8Array): number => left.reduce((sum, one) => sum + one, 0);
