// Generated from clients/web/page/src/reports/search.ts: change that, and run `npm run reports` in clients/web/page.
"use strict";
(() => {
  // src/delayed.ts
  function delayed(milliseconds, action) {
    let timer;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(action, milliseconds);
    };
  }

  // src/dom.ts
  function h(name, properties = {}, ...children) {
    const element = document.createElement(name);
    if (element instanceof HTMLButtonElement) element.type = "button";
    const { class: classes, ...rest } = properties;
    if (classes) element.className = classes;
    for (const [key, value] of Object.entries(rest)) {
      if (key === "role" || key.includes("-")) element.setAttribute(key, String(value));
      else Object.assign(element, { [key]: value });
    }
    element.append(...children.filter(isShown));
    return element;
  }
  var isShown = (child) => child !== null && child !== void 0 && child !== false;
  function drawn(name, attributes = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.append(...children.filter(isShown));
    return element;
  }
  function button(label, classes, onClick, title) {
    return h("button", { class: classes, onclick: onClick, ...title ? { title } : {} }, label);
  }
  var ICONS = {
    play: "M7 4.5v15l12-7.5z",
    stop: "M6 6h12v12H6z",
    previous: "M15 5l-7 7 7 7",
    next: "M9 5l7 7-7 7",
    share: "M12 15V3m0 0L7.5 7.5M12 3l4.5 4.5M5 12v7.5h14V12",
    history: "M3.5 12a8.5 8.5 0 1 0 2.6-6.1L3.5 8.2m0-5v5h5M12 7.5V12l3 2",
    new: "M13.5 3.5H6v17h12V8zm0 0V8H18M12 11.5v6m-3-3h6",
    open: "M3.5 19V5h6l2 2.5h9V19z",
    save: "M12 3v12m0 0l-4.5-4.5M12 15l4.5-4.5M5 16v4h14v-4",
    grid: "M4 4h7v7H4zm9 0h7v7h-7zM4 13h7v7H4zm9 0h7v7h-7z",
    book: "M12 6.5C10 5 7 4.5 4 4.5v14c3 0 6 .5 8 2 2-1.5 5-2 8-2v-14c-3 0-6 .5-8 2zm0 0v14",
    moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
    settings: "M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5M9 14.5v5",
    undo: "M8 4.5L4 8.5l4 4M4.5 8.5H14a5.5 5.5 0 0 1 0 11H9",
    redo: "M16 4.5l4 4-4 4m3.5-4H10a5.5 5.5 0 0 0 0 11h5",
    print: "M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z",
    close: "M6 6l12 12M18 6L6 18",
    plus: "M12 5v14M5 12h14",
    format: "M4 6h16M4 10.5h10M4 15h16M4 19.5h10"
  };
  function icon(name) {
    const attributes = { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" };
    return drawn("svg", attributes, drawn("path", { d: ICONS[name] ?? "" }));
  }
  function iconButton(name, label, classes, onClick, withText = true) {
    const text = withText === true ? label : withText;
    const made = h("button", { class: classes, onclick: onClick }, icon(name), text && h("span", { class: "label" }, text));
    made.title = label;
    if (text !== label) made.setAttribute("aria-label", label);
    return made;
  }
  var messageTimer;
  function announce(message, action) {
    let box2 = document.querySelector("#messages");
    if (!box2) {
      box2 = h("div", { id: "messages", role: "status", "aria-live": "polite" });
      document.body.append(box2);
    }
    box2.replaceChildren(h("p", { class: "message" }, message, action ? button(action.label, "plain", action.run) : null));
    clearTimeout(messageTimer);
    if (!action) messageTimer = setTimeout(() => box2.replaceChildren(), 5e3);
  }
  function dialog(title, classes, ...children) {
    const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
    const made = h(
      "dialog",
      { class: `dialog ${classes}`, "aria-labelledby": heading.id },
      h(
        "div",
        { class: "dialog-head" },
        heading,
        iconButton("close", "Close", "quiet", () => made.close(), false)
      ),
      h("div", { class: "dialog-body" }, ...children)
    );
    made.addEventListener("click", (event) => {
      if (event.target === made) made.close();
    });
    made.addEventListener("close", () => made.remove());
    document.body.append(made);
    made.showModal();
    return made;
  }
  async function copy(text, shown) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      shown?.select();
      if (!document.execCommand("copy")) return;
    }
    announce("Copied.");
  }
  function copyable(label, text, rows) {
    const area = h("textarea", { class: "code", rows, readOnly: true, value: text, "aria-label": label });
    area.addEventListener("focus", () => area.select());
    return [area, button("Copy", "secondary", () => void copy(area.value, area))];
  }
  var copied = (label, text, rows) => h("div", { class: "copied" }, h("h3", {}, label), ...copyable(label, text, rows));

  // src/keys.ts
  function onKeys(actions2) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
      const action = actions2[event.key];
      const meant = event.key === " " ? "select, textarea, button" : "select, textarea";
      if (!action || event.target.closest(meant)) return;
      event.preventDefault();
      action();
    });
  }
  function keyTable(rows) {
    const kbd = (key) => [h("kbd", {}, key), " "];
    const row = ([keys, what]) => h("tr", {}, h("td", {}, ...[keys].flat().flatMap(kbd)), h("td", {}, what));
    return h("table", { class: "keys" }, h("tbody", {}, ...rows.map(row)));
  }

  // src/around.ts
  var asTheme = (value) => value === "light" || value === "dark" ? value : null;
  function onThemeAround(follow) {
    addEventListener("message", ({ data: data2 }) => {
      const said = asTheme(data2?.essenceTheme);
      if (said) follow(said);
    });
  }

  // src/reports/data.ts
  var dataOf = () => JSON.parse(document.querySelector("#data")?.textContent ?? "");
  function drawing(name) {
    const drawings = document.querySelector("#drawings")?.content;
    const found = drawings?.querySelector(`[data-name="${name}"] > svg`);
    return found ? document.importNode(found, true) : null;
  }
  onThemeAround((theme) => document.documentElement.dataset.theme = theme);

  // src/reports/network.ts
  var data = dataOf();
  var nameOf = (variable) => data.variables[variable][0];
  var valuesOf = (variable) => data.variables[variable][1];
  var equation = (variable, position) => `${nameOf(variable)} = ${valuesOf(variable)[position]}`;
  var clipped = (text, length) => text.length > length ? `${text.slice(0, length - 1)}…` : text;
  function summary(variable, has) {
    const values = valuesOf(variable).filter((_, position) => has(variable, position));
    if (values.length === 0) return "none";
    return values.length <= 3 ? values.join(", ") : `${values[0]} … ${values.at(-1)} (${values.length})`;
  }
  function removals(pairs) {
    const distinct = (words) => {
      const all = [...new Set(words)];
      return { all, listed: all.length > 12 ? `${all.slice(0, 12).join(", ")} …` : all.join(", ") };
    };
    const variables = distinct(pairs.map(([variable]) => nameOf(variable)));
    const values = distinct(pairs.map(([variable, position]) => valuesOf(variable)[position]));
    if (variables.all.length === 1 || values.all.length === 1) return `${variables.listed} cannot be ${values.listed}`;
    return `${pairs.length} values are removed from ${variables.listed}`;
  }

  // src/numbers.ts
  var number = (value) => value.toLocaleString("en");

  // src/reports/slots.ts
  var middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
  var fitting = (text, width, most) => Math.max(3, Math.min(most, width / Math.max(1, text.length) / 0.62));
  var letters = (text, [x, y], size2, name = "", attributes = {}) => drawn("text", { class: name, x, y: y + 0.35 * size2, "text-anchor": "middle", "font-size": size2.toFixed(1), ...attributes }, text);
  function box([x, y, width, height], inset, name, rx = 3) {
    const size2 = { width: Math.max(1, width - 2 * inset), height: Math.max(1, height - 2 * inset) };
    return drawn("rect", { class: name, x: x + inset, y: y + inset, ...size2, rx });
  }
  function sign(mark, place, queen, name = "") {
    const [x, y] = middle(place);
    const size2 = Math.min(place[2], place[3]);
    if (mark === "queen") return drawn("path", { class: `queen ${name}`, d: queen, transform: `translate(${x - 22.5} ${y - 22.5})` });
    if (mark === "dot" || mark === "text") return drawn("circle", { class: `sign ${name}`, cx: x, cy: y, r: size2 / 5 });
    return box(place, 0, `sign ${mark} ${name}`, mark === "member" ? place[3] / 2 : 0);
  }

  // src/reports/cells.ts
  var cross = ([x, y], r, name = "") => drawn("path", { class: `cross ${name}`, d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}` });
  function filled([of, value, mark, place, label], look) {
    const cell = drawn("g", { class: "cell" });
    const kind = typeof of === "string" ? "fixed" : look.kind(of);
    const ring = kind === "current" || kind === "empty" ? "ring " : "";
    const round = mark === "tone" && label ? place[3] / 2 - 2 : 3;
    if (mark === "queen" ? ring : kind) cell.append(box(place, 2, `box ${ring}${mark === "queen" ? "" : kind}`, round));
    const shown = label ? "member" : mark;
    const radius = 0.16 * Math.min(place[2], place[3]);
    const there = (name) => sign(shown, place, data.queen, name);
    if (typeof of === "string") {
      const text = mark === "tone" && label ? `${label}: ${of}` : of;
      if (value !== null) cell.append(of === value ? there("") : cross(middle(place), radius));
      else cell.append(mark === "tone" ? named(text, place) : large(text, place));
      return cell;
    }
    cell.append(drawn("title", {}, nameOf(of)));
    if (value === null) cell.append(...mark === "tone" ? toned(of, label, place, look) : written(of, place, look));
    else {
      const position = valuesOf(of).indexOf(value);
      const { left, assigned } = look;
      if (position < 0) return cell;
      if (assigned[of] === position) cell.append(there(""));
      else if (look.isFresh(of, position)) cell.append(cross(middle(place), 1.4 * radius, "fresh"));
      else if (!left[of][position] || shown !== "queen" && assigned[of] >= 0) cell.append(cross(middle(place), radius));
      else if (assigned[of] < 0 && look.value(of) === position) cell.append(there("only"));
    }
    if (look.scope.includes(of) && mark !== "queen") cell.append(box(place, 3, "halo", 4));
    return cell;
  }
  var large = (text, place, name = "big") => letters(text, middle(place), fitting(text, place[2] * 0.78, place[3] * 0.52), name);
  var named = (text, place, name = "big", more = {}) => letters(text, middle(place), fitting(text, place[2] * 0.9, 15), name, more);
  function written(of, place, { value, has, isFresh, assigned }) {
    const [x, y, width, height] = place;
    const [values, only] = [valuesOf(of), value(of)];
    const someAreFresh = values.some((_, position) => isFresh(of, position));
    if (assigned[of] >= 0) return [large(values[only], place)];
    if (only >= 0 && !someAreFresh) return [large(values[only], place, "big only")];
    const longest = Math.max(1, ...values.map((text) => text.length));
    const square = Math.ceil(Math.sqrt(values.length * Math.max(1, longest * 0.7) ** -0.5 * width / height));
    const columns = Math.min(Math.max(1, square), values.length);
    const [across, down] = [(width - 6) / columns, (height - 6) / Math.ceil(values.length / columns)];
    const size2 = Math.min(down * 0.9, across / (0.7 * longest), height * 0.4);
    if (size2 < 6.5) {
      const text = summary(of, has);
      return [letters(text, middle(place), fitting(text, width * 0.92, 13), "many")];
    }
    return values.flatMap((text, position) => {
      const at = [x + 3 + (position % columns + 0.5) * across, y + 3 + (Math.floor(position / columns) + 0.5) * down];
      if (isFresh(of, position)) return letters(text, at, size2, "fresh");
      return has(of, position) ? letters(text, at, size2, "many") : [];
    });
  }
  function toned(of, label, place, { has, isFresh, assigned, kind }) {
    const [values, paints] = [valuesOf(of), data.variables[of][2] ?? []];
    const [x, y, width, height] = place;
    if (assigned[of] >= 0) {
      const [fill, ink] = paints[assigned[of]];
      const shape = box(place, 0, `box ${kind(of) === "current" ? "ring" : ""}`, label ? height / 2 : 4);
      shape.style.fill = fill;
      return [shape, named(label || values[assigned[of]], place, "big", { style: `fill: ${ink}` })];
    }
    const top = label ? y + height + 2 : y + height / 2;
    const step = Math.min(18, width / values.length);
    const dots = values.flatMap((text, position) => {
      const fresh = isFresh(of, position);
      if (!fresh && !has(of, position)) return [];
      const [cx, r] = [x + width / 2 + (position - (values.length - 1) / 2) * step, step * 0.4];
      const look = { class: fresh ? "tone fresh" : "tone", cx, cy: top, r, style: `fill: ${paints[position][0]}` };
      const dot = drawn("circle", look, drawn("title", {}, text));
      return fresh ? [dot, cross([cx, top], r + 2, "fresh")] : [dot];
    });
    return label && kind(of) ? [named(label, place, ""), ...dots] : dots;
  }

  // src/reports/trace.ts
  var START = ["n"];
  var taken = (steps, step) => steps.findLastIndex((at) => at <= step) + 1;
  var Trace = class {
    constructor(run) {
      this.run = run;
      const { nodes, here, moves, dead, solutions, stops } = this;
      const add2 = (label, value, parent, enter) => {
        const [id, depth, never] = [nodes.length, parent ? parent.depth + 1 : 0, Infinity];
        const node2 = { id, label, value, parent, children: [], depth, size: 0, enter, leave: never, deadAt: never, goodAt: never };
        parent?.children.push(node2);
        nodes.push(node2);
        return node2;
      };
      let node = add2("start", "", null, 0);
      here.push(node);
      for (const [index, [kind, variable, position, reason]] of run.events.entries()) {
        const at = index + 1;
        this.#checks.push(this.#checks[index] + run.checksBefore[index]);
        if (kind === "a") {
          node = add2(equation(variable, position), valuesOf(variable)[position], node, at);
          moves.push(at);
        } else if (kind === "u") {
          node.leave = at;
          node = node.parent ?? node;
        } else if (kind === "s") {
          solutions.push(at);
          for (let up = node; up && up.goodAt === Infinity; up = up.parent) up.goodAt = at;
        } else if (kind === "p") {
          this.#pruned.push(at);
        } else {
          dead.push(at);
          if (node.parent) this.#ends.push(at);
          node.deadAt = Math.min(node.deadAt, at);
        }
        const next = run.events[at];
        if (kind !== "p" || next?.[0] !== "p" || next[3] !== reason) stops.push(at);
        here.push(node);
      }
      if (!run.truncated) this.#checks[run.events.length] = run.checks;
      for (const one of nodes.slice(1).reverse()) if (one.parent) one.parent.size += one.size + 1;
    }
    run;
    nodes = [];
    /** The node after each step. */
    here = [];
    /** The steps with an assignment, with a dead end, with a solution, and the stops of the buttons. */
    moves = [0];
    dead = [];
    solutions = [];
    stops = [0];
    /** The dead ends below an assignment. */
    #ends = [];
    #pruned = [];
    #checks = [0];
    /** The step up to which the run was replayed; the fields below are the state there. */
    #at = Infinity;
    /** 1 for each remaining value. */
    #left = [];
    /** The position of the value of each variable; -1 if unassigned. */
    #assigned = [];
    /** The values that each assignment has removed. */
    #removed = [];
    get last() {
      return this.run.events.length;
    }
    /** The counts after a step: keys, labels and numbers. */
    counts(step) {
      return [
        ["nodes", "nodes", taken(this.moves, step) - 1],
        ["dead", "dead ends", taken(this.#ends, step)],
        ["checks", "checks", this.#checks[step]],
        ["pruned", "removed values", taken(this.#pruned, step)],
        ...data.objective ? [["solutions", "solutions", taken(this.solutions, step)]] : []
      ];
    }
    /** The best solution after a step, and the bound at its node. */
    objective(step) {
      const { bounds } = this.run;
      const steps = bounds.map(([at]) => at);
      const upTo = (at) => taken(steps, at) - 1;
      const boundOf = (node) => {
        const at = upTo(Math.min(step, node.children[0] ? node.children[0].enter - 1 : node.leave - 1));
        return at >= 0 && bounds[at][0] >= node.enter ? bounds[at][1] : null;
      };
      let bound = null;
      for (let node = this.here[step]; node && bound === null; node = node.parent) bound = boundOf(node);
      const found = this.solutions.slice(0, taken(this.solutions, step)).map((at) => [at, bounds[upTo(at)]?.[1]]);
      const points = found.map(([at, value]) => [at, parseFloat(value)]).filter(([, value]) => Number.isFinite(value));
      return { best: found.at(-1)?.[1] ?? null, bound, points };
    }
    /** Replays the run up to this step, from the start if the state is already beyond it. */
    #run(step) {
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
    #news(step) {
      const { events } = this.run;
      const [kind, about] = events[step - 1] ?? START;
      const fresh = [];
      if (!"pwv".includes(kind)) return { fresh, constraint: null };
      let reason = null;
      for (let at = step - 1; at >= 0 && "pwv".includes(events[at][0]); at--) {
        const [one, variable, position, because] = events[at];
        if (one !== "p") continue;
        reason ??= because;
        if (because !== reason) break;
        fresh.push([variable, position]);
      }
      return { fresh, constraint: kind === "v" ? about : reason };
    }
    /** The state that a picture of a step needs. */
    look(step) {
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
        kind: (variable) => variable === empty ? "empty" : variable === current ? "current" : assigned[variable] >= 0 ? "assigned" : "",
        value(variable) {
          const first = left[variable].indexOf(1);
          if (assigned[variable] >= 0) return assigned[variable];
          return first >= 0 && left[variable].indexOf(1, first + 1) < 0 ? first : -1;
        },
        has: (variable, position) => assigned[variable] < 0 ? left[variable][position] === 1 : assigned[variable] === position,
        isFresh: (variable, position) => news.has(`${variable},${position}`)
      };
    }
    /** Describes a step, and the reason for it. */
    words(step, { left, fresh }) {
      if (step === 0) return [this.last > 0 ? "Before the first step" : this.run.verdict, "Every variable has all its values."];
      const [kind, variable, position, reason] = this.run.events[step - 1];
      const text = (constraint) => data.constraints[constraint][0];
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
  };
  var size = (left) => left.reduce((sum, one) => sum + one, 0);

  // src/reports/graph.ts
  var NAMED = 40;
  function places(points) {
    const slots = data.boxes.flatMap(([of, , , place]) => typeof of === "number" ? [[of, middle(place)]] : []);
    const centres = new Map(slots);
    const apart = (axis) => new Set(slots.map(([, point]) => point[axis])).size > 1;
    if (centres.size === slots.length && centres.size === points.length && apart(0) && apart(1))
      return points.map((point, variable) => centres.get(variable) ?? point);
    return points.map(([x, y]) => [x * 112, y * 84]);
  }
  var ConstraintGraph = class {
    svg;
    #points;
    #lit = drawn("g");
    #nodes = drawn("g");
    constructor(points) {
      this.#points = places(points);
      const [xs, ys] = [0, 1].map((axis) => this.#points.map((point) => point[axis]));
      const side = points.length <= NAMED ? 64 : 24;
      const [left, top] = [Math.min(...xs) - side, Math.min(...ys) - 24];
      const pairsOf = (scope) => scope.flatMap((from, index) => scope.slice(index + 1).map((to) => [from, to].sort().join()));
      const pairs = new Set(data.constraints.flatMap(([, scope]) => pairsOf(scope)));
      const line = (pair) => this.#line("edge", ...pair.split(",").map((variable) => this.#points[Number(variable)]));
      const lines = drawn("g", { opacity: pairs.size > 400 ? 0.4 : 1 }, ...[...pairs].map(line));
      const viewBox = `${left} ${top} ${Math.max(...xs) - left + side} ${Math.max(...ys) - top + 48}`;
      const label = "variables as nodes, constraints as lines";
      this.svg = drawn("svg", { viewBox, role: "img", "aria-label": label }, lines, this.#lit, this.#nodes);
    }
    #line = (name, ...points) => drawn("path", { class: name, d: `M${points.join("L")}` });
    show({ kind, left, assigned, scope }) {
      const points = scope.map((variable) => this.#points[variable]);
      const hub = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
      const lines = scope.length === 2 ? [this.#line("lit", ...points)] : points.map((point) => this.#line("lit", point, hub));
      if (scope.length > 2) lines.push(drawn("circle", { class: "hub", cx: hub[0], cy: hub[1], r: 7 }));
      this.#lit.replaceChildren(...scope.length > 1 ? lines : []);
      const node = ([x, y], variable) => {
        const [position, count] = [assigned[variable], size(left[variable])];
        const value = position >= 0 ? valuesOf(variable)[position] : null;
        const state = count === 1 ? "1 value is left" : `${count} values are left`;
        const circle = drawn("circle", { class: kind(variable) || (scope.includes(variable) ? "scope" : ""), cx: x, cy: y, r: 15 });
        const title = drawn("title", {}, value === null ? `${nameOf(variable)}: ${state}` : equation(variable, position));
        const made = drawn("g", {}, circle, title, value !== null && letters(value, [x, y], fitting(value, 26, 15), "value"));
        if (this.#points.length > NAMED) return made;
        made.append(letters(clipped(nameOf(variable), 16), [x, y + 23], 11, "name"));
        if (value === null) made.append(letters(`${count} left`, [x, y + 35], 11, "name"));
        return made;
      };
      this.#nodes.replaceChildren(...this.#points.map(node));
    }
  };

  // src/reports/tree.ts
  var DRAWN = 700;
  var NAME = 40;
  var [ACROSS, DOWN, MARGIN] = [28, 46, 18];
  function pathTo(node) {
    const path = [node];
    for (let up = node.parent; up; up = up.parent) path.unshift(up);
    return path;
  }
  var SearchTree = class {
    constructor(onClick) {
      this.onClick = onClick;
    }
    onClick;
    element = h("div", { class: "tree", tabIndex: 0, role: "group", "aria-label": "nodes" });
    /** True if future nodes are drawn, too. */
    whole = false;
    #unfolded = /* @__PURE__ */ new Set();
    #shown;
    /** Selects the nodes whose children are visible: those on the path to the current node, and others level by level. */
    #opened(path, children) {
      const open = /* @__PURE__ */ new Set([...this.#unfolded, ...path]);
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
    draw(trace, step) {
      if (this.#shown?.[0] !== trace) this.#unfolded.clear();
      this.#shown = [trace, step];
      const limit = this.whole ? Infinity : step;
      const visible = taken(trace.moves, limit);
      const path = pathTo(trace.here[step]);
      const entered = (node) => node.children.filter((child) => child.enter <= limit);
      const open = this.#opened(path, entered);
      const children = /* @__PURE__ */ new Map();
      const x = /* @__PURE__ */ new Map();
      let leaves = 0;
      const stack = [trace.nodes[0]];
      for (let node = stack.pop(); node; node = stack.pop()) {
        const below = open.has(node) ? entered(node) : [];
        children.set(node, below);
        stack.push(...below.toReversed());
        if (below.length === 0) x.set(node, leaves++);
      }
      const nodes = [...children.keys()];
      const xOf = (node) => (node && x.get(node)) ?? 0;
      for (const node of nodes.toReversed()) {
        const below = children.get(node) ?? [];
        if (below.length > 0) x.set(node, (xOf(below[0]) + xOf(below.at(-1))) / 2);
      }
      const at = (node) => [MARGIN + xOf(node) * ACROSS, MARGIN + node.depth * DOWN];
      const room = { width: this.element.clientWidth || 500, height: this.element.clientHeight || 300 };
      const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      const height = 2 * MARGIN + Math.max(1, ...nodes.map(({ depth }) => depth)) * DOWN + 14;
      const plain = 2 * MARGIN + (leaves - 1) * ACROSS;
      const scaleFor = (width2) => Math.max(0.5 * unit, Math.min(1.5 * unit, room.width / width2, room.height / height));
      const size2 = Math.min(30, Math.max(12, 13 * unit / scaleFor(plain)));
      const width = Math.max(plain, ...path.map((node) => at(node)[0] + 22 + Math.min(node.label.length, NAME) * size2 * 0.6));
      const scale = scaleFor(width);
      const isOnPath = new Set(path);
      const [lines, circles, labels] = [drawn("g"), drawn("g"), drawn("g")];
      for (const node of nodes) {
        const [left2, top2] = at(node);
        if (node.parent) {
          const [px, py] = at(node.parent);
          const curve = `M${px} ${py}C${px} ${py + DOWN / 2} ${left2} ${top2 - DOWN / 2} ${left2} ${top2}`;
          lines.append(drawn("path", { class: isOnPath.has(node) ? "edge path" : "edge", d: curve }));
          const label2 = { class: "label", x: left2 + 16, y: top2 + size2 / 3, "font-size": size2.toFixed(1) };
          if (isOnPath.has(node)) labels.append(drawn("text", label2, clipped(node.label, NAME)));
        }
        const state = node.goodAt <= limit ? "good" : node.deadAt <= limit || node.leave <= limit ? "dead" : "open";
        const here = node === trace.here[step] ? "here" : "";
        const group = drawn(
          "g",
          { class: node.enter > step ? "node later" : "node" },
          drawn("title", {}, node.label),
          drawn("circle", { class: `${state} ${here}`, cx: left2, cy: top2, r: node.parent ? 10 : 6 }),
          node.value.length <= 2 && drawn("text", { class: "inside", x: left2, y: top2 + 4 }, node.value)
        );
        group.addEventListener("click", () => this.onClick(node.enter));
        circles.append(group);
        const below = Math.min(node.id + node.size, visible - 1) - node.id;
        if (open.has(node) || below === 0) continue;
        const title = drawn("title", {}, `${below} more nodes; click to unfold`);
        const triangle = drawn("path", { class: `fold ${state}`, d: `M${left2} ${top2 + 10}l-9 16h18z` }, title);
        triangle.addEventListener("click", () => (this.#unfolded.add(node), this.draw(trace, step)));
        circles.append(triangle);
      }
      const frame = { viewBox: `0 0 ${width} ${height}`, width: Math.floor(width * scale), height: Math.floor(height * scale) };
      const label = `a tree with ${visible} nodes`;
      this.element.replaceChildren(drawn("svg", { ...frame, role: "img", "aria-label": label }, lines, circles, labels));
      const [left, top] = at(trace.here[step]);
      this.element.scrollTo(left * scale - room.width / 2, top * scale - room.height * 0.6);
    }
  };

  // src/reports/pane.ts
  var [LISTED, SPELT] = [400, 40];
  var SPEEDS = [0.5, 1, 2, 4, 8, 16, 30, 60, 120];
  var inPicture = new Set(data.boxes.map(([of]) => of));
  var others = data.variables.map((_, variable) => variable).filter((variable) => !inPicture.has(variable));
  function picture(cells) {
    const stage = inPicture.size > 0 ? drawing("stage") : null;
    if (!stage) return null;
    const { width, height } = stage.viewBox.baseVal;
    for (const name of ["width", "height"]) stage.removeAttribute(name);
    stage.setAttribute("role", "img");
    stage.setAttribute("aria-label", "The picture of the model with the values that are left");
    stage.style.maxWidth = `${Math.round(width * 2.2)}px`;
    stage.style.aspectRatio = `${width} / ${height}`;
    stage.append(cells);
    return h("div", { class: "stage" }, stage);
  }
  var legend = (...items) => h("p", { class: "legend" }, ...items.map(([mark, words]) => h("span", {}, h("i", { class: mark }), words)));
  var choose = (label, title, words, onchange = () => void 0) => h("select", { "aria-label": label, title, onchange, hidden: words.length < 2 }, ...words.map((word) => h("option", {}, word)));
  var Pane = class {
    constructor(index, onChange) {
      this.onChange = onChange;
      this.#speed.selectedIndex = 3;
      const bar = [
        this.#play,
        this.#button("|◀", "to the start (Home)", () => this.go(0), "wide"),
        this.#button("◀ step", "one step back (left)", () => this.move(-1)),
        this.#button("step ▶", "one step on (right)", () => this.move(1)),
        this.#button("▶|", "to the end (End)", () => this.go(Infinity), "wide"),
        this.#button("next dead end", "to the next dead end (d)", () => this.jump("dead", 1), "wide"),
        ...[this.#slider, this.#position, this.#speed, this.#whole, this.#choice]
      ];
      const panel = (name, label, ...parts) => h("section", { class: `panel surface ${name}`, "aria-label": label }, ...parts);
      const colours = legend(["open", "being searched"], ["dead", "hopeless"], ["good", "leads to a solution"], ["now", "here"]);
      const values = panel("values", "values", picture(this.#cells), others.length > 0 && this.#rest);
      const tree = panel("search", "search tree", this.#tree.element, colours);
      const meaning = legend(["ring", "in the circle: the value; below the name: how many values are left"]);
      const title = h("h2", {}, "variables and constraints");
      const graph = this.#graph && panel("graph", "constraint graph", title, this.#graph.svg, meaning);
      this.element = h(
        "section",
        { class: "pane", "aria-label": "run" },
        h("div", { class: "said surface" }, this.#text, this.#counts, this.#objective),
        h("div", { class: graph ? "panels" : "panels plain" }, values, tree, graph),
        h("div", { class: "bar", role: "toolbar", "aria-label": "steps" }, ...bar)
      );
      this.load(Math.min(index, data.runs.length - 1));
    }
    onChange;
    element;
    trace;
    step = 0;
    #playing = false;
    #cells = drawn("g");
    #text = h("div", { class: "step", "aria-live": "polite" });
    #counts = h("dl", { class: "counts" });
    #objective = h("div", { class: "objective", hidden: !data.objective });
    #rest = h("div", { class: "rest", tabIndex: 0 });
    #tree = new SearchTree((step) => this.go(step));
    #graph = data.points && new ConstraintGraph(data.points);
    #play = this.#button("▶ play", "play or pause (space)", () => this.toggle());
    #slide = () => this.go(Number(this.#slider.value));
    #slider = h("input", { type: "range", min: "0", "aria-label": "step", title: "steps of the whole run", oninput: this.#slide });
    #position = h("span", { class: "position" });
    #speed = choose("speed", "steps a second (+ and -)", SPEEDS.map((speed) => `${speed}/s`));
    #whole = h("button", { class: "secondary", title: "show what is still to come (w)", onclick: () => this.toggleWhole() }, "whole tree");
    #choice = choose("run", "which run", data.runs.map(({ strategy }) => strategy), () => this.load(this.index));
    #button(text, title, onclick, name = "") {
      return h("button", { class: `secondary ${name}`, title, onclick, "aria-label": title.replace(/ \(.*/, "") }, text);
    }
    get index() {
      return this.#choice.selectedIndex;
    }
    load(index) {
      this.stop();
      this.#choice.selectedIndex = data.runs[index] ? index : 0;
      this.trace = new Trace(data.runs[this.index]);
      this.#tree.whole = true;
      this.step = 0;
      this.toggleWhole();
    }
    go(step) {
      const { last } = this.trace;
      this.step = Math.max(0, Math.min(step || 0, last));
      this.#slider.max = String(last);
      this.#slider.value = String(this.step);
      this.#position.textContent = `step ${number(this.step)} of ${number(last)}`;
      this.#slider.setAttribute("aria-valuetext", this.#position.textContent);
      const look = this.trace.look(this.step);
      this.#describe(look);
      if (data.objective) this.#showObjective(data.objective);
      this.#cells.replaceChildren(...data.boxes.map((slot) => filled(slot, look)));
      this.#rest.replaceChildren(listed(look));
      this.#graph?.show(look);
      this.draw();
      this.onChange();
    }
    draw() {
      this.#tree.draw(this.trace, this.step);
    }
    /** Moves by a number of stops. */
    move(by) {
      const { stops } = this.trace;
      const at = by > 0 ? taken(stops, this.step) - 1 + by : taken(stops, this.step - 1) + by;
      this.go(stops[Math.max(0, Math.min(at, stops.length - 1))]);
    }
    jump(list, direction) {
      const steps = this.trace[list];
      if (direction > 0) this.go(steps.find((at) => at > this.step) ?? Infinity);
      else this.go(steps.findLast((at) => at < this.step) ?? this.step);
    }
    toggleWhole() {
      this.#tree.whole = !this.#tree.whole;
      this.#whole.setAttribute("aria-pressed", String(this.#tree.whole));
      this.go(this.step);
    }
    toggle() {
      if (this.#playing) return this.stop();
      this.#playing = true;
      this.#play.textContent = "⏸ pause";
      let [last, owed] = [performance.now(), 0];
      const frame = (now) => {
        if (!this.#playing) return;
        owed += (now - last) / 1e3 * SPEEDS[this.#speed.selectedIndex];
        last = now;
        const steps = Math.floor(owed);
        owed -= steps;
        if (steps > 0) this.move(steps);
        if (this.step >= this.trace.last) return this.stop();
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    }
    stop() {
      this.#playing = false;
      this.#play.textContent = "▶ play";
    }
    faster(by) {
      this.#speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, this.#speed.selectedIndex + by));
    }
    #describe(look) {
      const [what, why] = this.trace.words(this.step, look);
      const whys = this.step > 0 && this.step === this.trace.last ? [why, this.trace.run.verdict] : [why];
      this.#text.replaceChildren(h("b", {}, what), ...whys.map((text) => h("span", { class: "why" }, text)));
      const counts = this.trace.counts(this.step);
      const shown = counts.map(([key, words, count]) => h("div", { "data-count": key }, h("dt", {}, words), h("dd", {}, number(count))));
      this.#counts.replaceChildren(...shown);
    }
    /** Shows the best solution so far, the bound at the node, and the best objective over the steps. */
    #showObjective({ sense, text }) {
      const { best, bound, points } = this.trace.objective(this.step);
      const values = points.map(([, value]) => value);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const y = (value) => (high === low ? 20 : 35 - 30 * (value - low) / (high - low)).toFixed(1);
      const x = (at) => (300 * at / this.step).toFixed(1);
      const d = points.map(([at, value], index) => index > 0 ? `H${x(at)}V${y(value)}` : `M${x(at)} ${y(value)}`).join("");
      const line = { viewBox: "0 0 300 40", preserveAspectRatio: "none", role: "img", "aria-label": "the best solution over the steps" };
      this.#objective.replaceChildren(
        h("span", {}, `${sense} ${text}`),
        h("span", {}, "best so far ", h("strong", {}, best ?? "–")),
        h("span", {}, `here ${sense === "minimising" ? "at least" : "at most"} `, h("em", {}, bound ?? "–")),
        drawn("svg", line, points.length > 0 && drawn("path", { d: `${d}H300` }))
      );
    }
  };
  function listed({ kind, value, has, isFresh, assigned }) {
    const shown = (variable) => {
      const [values, only] = [valuesOf(variable), value(variable)];
      if (assigned[variable] >= 0) return [h("span", { class: `one ${kind(variable)}` }, values[only])];
      if (values.length > SPELT) return [h("span", {}, summary(variable, has))];
      const left = only >= 0 ? "one" : "";
      const name = (at) => isFresh(variable, at) ? "fresh" : has(variable, at) ? left : "gone";
      return values.map((text, at) => h("span", { class: name(at) }, text));
    };
    const row = (variable) => h("tr", {}, h("td", {}, nameOf(variable)), h("td", { class: kind(variable) === "empty" ? "empty" : "" }, ...shown(variable)));
    const more = others.length > LISTED && h("tr", {}, h("td", {}, `and ${others.length - LISTED} other variables`));
    return h("table", {}, ...others.slice(0, LISTED).map(row), more);
  }

  // src/reports/search.ts
  var KEYS = [
    ["one step on", ["→", "ArrowRight", (pane) => pane.move(1)]],
    ["one step back", ["←", "ArrowLeft", (pane) => pane.move(-1)]],
    ["on or back by a single value", [".", ".", (pane) => pane.go(pane.step + 1)], [",", ",", (pane) => pane.go(pane.step - 1)]],
    ["to the next assignment", ["↓", "ArrowDown", (pane) => pane.jump("moves", 1)]],
    ["to the assignment before", ["↑", "ArrowUp", (pane) => pane.jump("moves", -1)]],
    ["to the next dead end", ["d", "d", (pane) => pane.jump("dead", 1)]],
    ["to the dead end before", ["D", "D", (pane) => pane.jump("dead", -1)]],
    ["to the next solution", ["s", "s", (pane) => pane.jump("solutions", 1)]],
    ["play or pause", ["space", " ", (pane) => pane.toggle()]],
    ["faster, slower", ["+", "+", (pane) => pane.faster(1)], ["-", "-", (pane) => pane.faster(-1)]],
    ["to the start, to the end", ["Home", "Home", (pane) => pane.go(0)], ["End", "End", (pane) => pane.go(Infinity)]],
    ["the whole tree, or only what has been searched", ["w", "w", (pane) => pane.toggleWhole()]]
  ];
  function showKeys() {
    const rows = KEYS.map(([what, ...keys]) => [keys.map(([sign2]) => sign2), what]);
    dialog("Keys", "", keyTable([...rows, [["?"], "these keys"]]));
  }
  function share() {
    const address = copied("This address shows this step", location.href.split("#")[0] + fragment(), 2);
    dialog("The same run again", "", data.command ? copied("This command makes the page", data.command, 3) : null, address);
  }
  var panes = [];
  var main = h("main", { id: "panes" });
  var two = h("input", { type: "checkbox", onchange: compare });
  var hidden = location.protocol === "about:" && !data.command;
  var header = [
    h("h1", {}, data.title),
    h("label", { class: "check", hidden: data.runs.length < 2 }, two, "compare two runs"),
    h("button", { class: "secondary", hidden, onclick: share }, "Share"),
    h("button", { class: "secondary keyboard", title: "the keys (?)", onclick: showKeys }, "Keys ?")
  ];
  document.body.append(h("header", {}, ...header), main);
  function add() {
    const pane = new Pane(panes.length, remember);
    panes.push(pane);
    main.append(pane.element);
  }
  function compare() {
    if (two.checked) add();
    else {
      const gone = panes.pop();
      gone?.stop();
      gone?.element.remove();
    }
    for (const pane of panes) pane.go(pane.step);
  }
  var fragment = () => `#step=${panes[0].step}&run=${panes[0].index}${panes.length > 1 ? "&two" : ""}`;
  var remember = delayed(200, () => {
    try {
      history.replaceState(null, "", fragment());
    } catch {
    }
  });
  function visit() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const whole = (name) => Math.trunc(Number(wanted.get(name))) || 0;
    const run = Math.max(0, Math.min(whole("run"), data.runs.length - 1));
    if (wanted.has("run") && run !== panes[0].index) panes[0].load(run);
    if (wanted.has("two") !== two.checked && data.runs.length > 1) two.click();
    panes[0].go(whole("step"));
  }
  var actions = KEYS.flatMap(([, ...keys]) => keys).map(([, key, action]) => [key, () => panes.forEach(action)]);
  onKeys({ ...Object.fromEntries(actions), "=": () => panes.forEach((pane) => pane.faster(1)), "?": showKeys });
  addEventListener("hashchange", visit);
  var draw = delayed(100, () => panes.forEach((pane) => pane.draw()));
  addEventListener("resize", draw);
  add();
  visit();
})();
