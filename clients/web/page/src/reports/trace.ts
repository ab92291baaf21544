// The steps of a run: the tree that they walk through, what is counted, and the state after each of them.

import type { SearchEvent, SearchRun } from "./data";
import { data, equation, nameOf, removals, valuesOf } from "./network";

/** What stands for a step before the first one. */
const START: SearchEvent = ["n"];

/** An assignment. The nodes below it follow it among all nodes. */
export interface TreeNode {
  id: number;
  label: string;
  value: string;
  parent: TreeNode | null;
  children: TreeNode[];
  depth: number;
  /** How many nodes are below it. */
  size: number;
  /** The steps in which it is entered and left, in which it becomes hopeless, and in which a solution is found below it. */
  enter: number;
  leave: number;
  deadAt: number;
  goodAt: number;
}

/** How many of some steps have been taken. */
export const taken = (steps: number[], step: number): number => steps.findLastIndex((at) => at <= step) + 1;

export class Trace {
  readonly nodes: TreeNode[] = [];
  /** The node after each step. */
  readonly here: TreeNode[] = [];
  /** The steps in which something is assigned, in which there is a dead end, in which there is a solution, and at which one stops. */
  readonly moves: number[] = [0];
  readonly dead: number[] = [];
  readonly solutions: number[] = [];
  readonly stops: number[] = [0];
  /** The dead ends below an assignment. */
  #ends: number[] = [];
  #pruned: number[] = [];
  #checks: number[] = [0];
  /** The step up to which the steps have been carried out, and what this leads to. */
  #at = Infinity;
  /** 1 for each value that is left. */
  #left: Uint8Array[] = [];
  /** The position of the value of each variable; -1 for none. */
  #assigned: number[] = [];
  /** For each assignment the values that it has removed. */
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
      // Removals for one reason are one stop.
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

  /** What has been counted after a step: keys, words and numbers. */
  counts(step: number): [key: string, words: string, count: number][] {
    return [
      ["nodes", "nodes", taken(this.moves, step) - 1],
      ["dead", "dead ends", taken(this.#ends, step)],
      ["checks", "checks", this.#checks[step]],
      ["pruned", "removed values", taken(this.#pruned, step)],
      ...(data.objective ? [["solutions", "solutions", taken(this.solutions, step)] as [string, string, number]] : []),
    ];
  }

  /** The best solution after a step, and the bound that holds at the node there. */
  objective(step: number): { best: string | null; bound: string | null; points: [step: number, value: number][] } {
    const { bounds } = this.run;
    const steps = bounds.map(([at]) => at);
    const upTo = (at: number) => taken(steps, at) - 1;
    const boundOf = (node: TreeNode) => {
      // The bound of a node is recorded before its first child is entered or it is left.
      const at = upTo(Math.min(step, node.children[0] ? node.children[0].enter - 1 : node.leave - 1));
      return at >= 0 && bounds[at][0] >= node.enter ? bounds[at][1] : null;
    };
    let bound: string | null = null;
    for (let node: TreeNode | null = this.here[step]; node && bound === null; node = node.parent) bound = boundOf(node);
    const found = this.solutions.slice(0, taken(this.solutions, step)).map((at): [number, string] => [at, bounds[upTo(at)]?.[1]]);
    const points = found.map(([at, value]): [number, number] => [at, parseFloat(value)]).filter(([, value]) => Number.isFinite(value));
    return { best: found.at(-1)?.[1] ?? null, bound, points };
  }

  /** Carries out the steps up to this one, from the beginning if it is before the last one. */
  #run(step: number): void {
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

  /** The removals for one reason that a step completes, the latest one first, and the constraint that the step is about. */
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
      if (because !== reason) break;
      fresh.push([variable, position]);
    }
    return { fresh, constraint: kind === "v" ? about : reason };
  }

  /** What a picture of a step needs. */
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

  /** A step in words, and why it is taken. */
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

/** A state as a picture shows it. */
export interface Look {
  left: Uint8Array[];
  assigned: number[];
  /** The removals that are new. */
  fresh: [variable: number, position: number][];
  /** The variables of the constraint that the step is about. */
  scope: number[];
  /** How a variable stands in the search. */
  kind(variable: number): "" | "assigned" | "current" | "empty";
  /** The position of the only value; -1 if there are several. */
  value(variable: number): number;
  has(variable: number, position: number): boolean;
  isFresh(variable: number, position: number): boolean;
}

/** How many values are left. */
export const size = (left: Uint8Array): number => left.reduce((sum, one) => sum + one, 0);
