// Draws the tree of a run. Leaves are side by side, and parents above the middle of their children.

import { drawn, h } from "../dom";
import { clipped } from "./network";
import { taken, type Trace, type TreeNode } from "./trace";

/** At most this many nodes are drawn; subtrees beyond are folded. */
const DRAWN = 700;
/** Longer names beside a node are cut. */
const NAME = 40;
/** The distances between nodes, and the margin. */
const [ACROSS, DOWN, MARGIN] = [28, 46, 18];

/** The nodes from the root to this one. */
function pathTo(node: TreeNode): TreeNode[] {
  const path = [node];
  for (let up = node.parent; up; up = up.parent) path.unshift(up);
  return path;
}

export class SearchTree {
  readonly element = h("div", { class: "tree", tabIndex: 0, role: "group", "aria-label": "nodes" });
  /** True if future nodes are drawn, too. */
  whole = false;
  #unfolded = new Set<TreeNode>();
  #shown: [Trace, step: number] | undefined;

  constructor(readonly onClick: (step: number) => void) {}

  /** Selects the nodes whose children are visible: those on the path to the current node, and others level by level. */
  #opened(path: TreeNode[], children: (node: TreeNode) => TreeNode[]): Set<TreeNode> {
    const open = new Set([...this.#unfolded, ...path]);
    const queue = [...path];
    let count = queue.length;
    for (const node of queue) {
      const below = children(node);
      if (!open.has(node) && count + below.length > DRAWN) continue;
      open.add(node);
      for (const child of below) {
        if (open.has(child) && !this.#unfolded.has(child)) continue;
        count++;
        queue.push(child);
      }
    }
    return open;
  }

  draw(trace: Trace, step: number): void {
    if (this.#shown?.[0] !== trace) this.#unfolded.clear();
    this.#shown = [trace, step];
    const limit = this.whole ? Infinity : step;
    const visible = taken(trace.moves, limit);
    const path = pathTo(trace.here[step]);
    const entered = (node: TreeNode) => node.children.filter((child) => child.enter <= limit);
    const open = this.#opened(path, entered);
    const children = new Map<TreeNode, TreeNode[]>();
    const x = new Map<TreeNode, number>();
    let leaves = 0;
    const stack = [trace.nodes[0]];
    for (let node = stack.pop(); node; node = stack.pop()) {
      const below = open.has(node) ? entered(node) : [];
      children.set(node, below);
      stack.push(...below.toReversed());
      if (below.length === 0) x.set(node, leaves++);
    }
    const nodes = [...children.keys()];
    const xOf = (node: TreeNode | undefined) => (node && x.get(node)) ?? 0;
    for (const node of nodes.toReversed()) {
      const below = children.get(node) ?? [];
      if (below.length > 0) x.set(node, (xOf(below[0]) + xOf(below.at(-1))) / 2);
    }
    const at = (node: TreeNode) => [MARGIN + xOf(node) * ACROSS, MARGIN + node.depth * DOWN];

    const room = { width: this.element.clientWidth || 500, height: this.element.clientHeight || 300 };
    const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const height = 2 * MARGIN + Math.max(1, ...nodes.map(({ depth }) => depth)) * DOWN + 14;
    const plain = 2 * MARGIN + (leaves - 1) * ACROSS;
    const scaleFor = (width: number) => Math.max(0.5 * unit, Math.min(1.5 * unit, room.width / width, room.height / height));
    // Names stay readable in a small tree, as long as they fit their levels.
    const size = Math.min(30, Math.max(12, (13 * unit) / scaleFor(plain)));
    const width = Math.max(plain, ...path.map((node) => at(node)[0] + 22 + Math.min(node.label.length, NAME) * size * 0.6));
    const scale = scaleFor(width);

    const isOnPath = new Set(path);
    const [lines, circles, labels] = [drawn("g"), drawn("g"), drawn("g")];
    for (const node of nodes) {
      const [left, top] = at(node);
      if (node.parent) {
        const [px, py] = at(node.parent);
        const curve = `M${px} ${py}C${px} ${py + DOWN / 2} ${left} ${top - DOWN / 2} ${left} ${top}`;
        lines.append(drawn("path", { class: isOnPath.has(node) ? "edge path" : "edge", d: curve }));
        const label = { class: "label", x: left + 16, y: top + size / 3, "font-size": size.toFixed(1) };
        if (isOnPath.has(node)) labels.append(drawn("text", label, clipped(node.label, NAME)));
      }
      const state = node.goodAt <= limit ? "good" : node.deadAt <= limit || node.leave <= limit ? "dead" : "open";
      const here = node === trace.here[step] ? "here" : "";
      const group = drawn(
        "g",
        { class: node.enter > step ? "node later" : "node" },
        drawn("title", {}, node.label),
        drawn("circle", { class: `${state} ${here}`, cx: left, cy: top, r: node.parent ? 10 : 6 }),
        node.value.length <= 2 && drawn("text", { class: "inside", x: left, y: top + 4 }, node.value),
      );
      group.addEventListener("click", () => this.onClick(node.enter));
      circles.append(group);
      const below = Math.min(node.id + node.size, visible - 1) - node.id;
      if (open.has(node) || below === 0) continue;
      const title = drawn("title", {}, `${below} more nodes; click to unfold`);
      const triangle = drawn("path", { class: `fold ${state}`, d: `M${left} ${top + 10}l-9 16h18z` }, title);
      triangle.addEventListener("click", () => (this.#unfolded.add(node), this.draw(trace, step)));
      circles.append(triangle);
    }
    const frame = { viewBox: `0 0 ${width} ${height}`, width: Math.floor(width * scale), height: Math.floor(height * scale) };
    const label = `a tree with ${visible} nodes`;
    this.element.replaceChildren(drawn("svg", { ...frame, role: "img", "aria-label": label }, lines, circles, labels));
    const [left, top] = at(trace.here[step]);
    this.element.scrollTo(left * scale - room.width / 2, top * scale - room.height * 0.6);
  }
}
