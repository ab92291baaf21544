// Generated from clients/web/page/src/reports/explore.ts: change that, and run `npm run reports` in clients/web/page.
"use strict";
(() => {
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
  async function copy(text, shown2) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      shown2?.select();
      if (!document.execCommand("copy")) return;
    }
    announce("Copied.");
  }
  function copyable(label, text, rows2) {
    const area = h("textarea", { class: "code", rows: rows2, readOnly: true, value: text, "aria-label": label });
    area.addEventListener("focus", () => area.select());
    return [area, button("Copy", "secondary", () => void copy(area.value, area))];
  }

  // src/keys.ts
  var DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function nearest(from, places, key) {
    const [dx, dy] = DIRECTIONS[key] ?? [0, 0];
    let best;
    for (const place of places) {
      const [right, down] = [place.x - from.x, place.y - from.y];
      const along = right * dx + down * dy;
      const cost = along + 4 * Math.abs(right * dy + down * dx);
      if (along > 0.1 && (!best || cost < best.cost)) best = { place, cost };
    }
    return best?.place;
  }
  function onKeys(actions) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
      const action = actions[event.key];
      const meant = event.key === " " ? "select, textarea, button" : "select, textarea";
      if (!action || event.target.closest(meant)) return;
      event.preventDefault();
      action();
    });
  }

  // src/numbers.ts
  var number = (value) => value.toLocaleString("en");
  var plural = (count2, one, many = `${one}s`) => `${number(count2)} ${count2 === 1 ? one : many}`;

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

  // src/reports/slots.ts
  var middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
  var fitting = (text, width, most) => Math.max(3, Math.min(most, width / Math.max(1, text.length) / 0.62));
  var letters = (text, [x, y], size, name = "", attributes = {}) => drawn("text", { class: name, x, y: y + 0.35 * size, "text-anchor": "middle", "font-size": size.toFixed(1), ...attributes }, text);
  function box([x, y, width, height], inset, name, rx = 3) {
    const size = { width: Math.max(1, width - 2 * inset), height: Math.max(1, height - 2 * inset) };
    return drawn("rect", { class: name, x: x + inset, y: y + inset, ...size, rx });
  }
  function sign(mark, place, queen, name = "") {
    const [x, y] = middle(place);
    const size = Math.min(place[2], place[3]);
    if (mark === "queen") return drawn("path", { class: `queen ${name}`, d: queen, transform: `translate(${x - 22.5} ${y - 22.5})` });
    if (mark === "dot" || mark === "text") return drawn("circle", { class: `sign ${name}`, cx: x, cy: y, r: size / 5 });
    return box(place, 0, `sign ${mark} ${name}`, mark === "member" ? place[3] / 2 : 0);
  }

  // src/reports/explore.ts
  var data = dataOf();
  var [MOST_IN_SLOT, MOST_IN_ROW] = [25, 60];
  var UNKNOWN = 2;
  var cells = data.cells.map(([name, options], at) => ({
    name,
    options: options.map(([shown2, is, possible]) => ({ shown: shown2, is, possible })),
    has: Uint16Array.from({ length: data.here }, (_, solution) => data.columns[at].charCodeAt(solution) - 65)
  }));
  var choices = [];
  var left = [];
  var position = -1;
  var counts = [];
  function compute() {
    left = [];
    for (let solution = 0; solution < data.here; solution++)
      if (choices.every(([cell, option]) => cells[cell].has[solution] === option)) left.push(solution);
    if (position >= left.length) position = -1;
    const counted = position < 0 ? left : [left[position]];
    counts = cells.map(({ has, options }) => {
      const count2 = new Uint32Array(options.length);
      for (const solution of counted) count2[has[solution]]++;
      return count2;
    });
  }
  var total = () => position < 0 ? left.length : 1;
  var share = (cell, option) => total() > 0 ? counts[cell][option] / total() : 0;
  var chosen = (cell) => choices.find(([other]) => other === cell)?.[1];
  function alive(cell) {
    const all = choices.length === 0 && position < 0;
    const { options } = cells[cell];
    return [...options.keys()].filter((option) => counts[cell][option] > 0 || all && options[option].possible !== 0);
  }
  function choose(wanted) {
    choices = wanted;
    position = -1;
    render();
  }
  function toggle(cell, option) {
    const others = choices.filter(([other]) => other !== cell);
    choose(chosen(cell) === option ? others : [...others, [cell, option]]);
  }
  var undo = () => choose(choices.slice(0, -1));
  var reset = () => choose([]);
  function step(by) {
    if (left.length === 0) return;
    position = position < 0 && by < 0 ? left.length - 1 : position + by;
    if (position >= left.length) position = -1;
    render();
  }
  function show(solution) {
    choices = [];
    compute();
    position = left.indexOf(solution);
    render();
    picture.scrollIntoView({ block: "nearest" });
  }
  function words(cell, option) {
    const { is, possible } = cells[cell].options[option];
    const count2 = counts[cell][option];
    if (count2 === 0) return `${is}: ${possible === UNKNOWN ? "not known to be possible" : "possible, but not in the sample"}`;
    return `${is}: ${count2 === total() ? "in all" : `in ${number(count2)} of`} ${plural(total(), "solution")}`;
  }
  var targets = [];
  var current = "";
  function target(key, cell, option, place, name, inside2) {
    const [x, y] = middle(place);
    const [label, pressed] = [words(cell, option), String(chosen(cell) === option)];
    const attributes = { class: `value ${name}`, role: "button", tabindex: -1, "aria-label": label, "aria-pressed": pressed };
    const element = drawn("g", attributes, drawn("title", {}, label), box(place, 1, "hit"), inside2);
    element.addEventListener("click", () => (current = key, toggle(cell, option)));
    element.addEventListener("focus", () => current = key);
    targets.push({ key, element, x, y });
    return element;
  }
  function inside([cell, option, mark, , label], slot2, place) {
    const [x, y, width, height] = place;
    const here = alive(cell);
    const { options } = cells[cell];
    if (option !== null) {
      const part = share(cell, option);
      if (!here.includes(option)) return [];
      const drawing2 = sign(mark, place, data.queen);
      drawing2.setAttribute("opacity", String(part === 1 ? 1 : 0.12 + 0.6 * part));
      return [target(`${slot2}`, cell, option, place, part === 1 ? "sure" : "", drawing2)];
    }
    const shown2 = (one, at, most, name, opacity) => {
      const text = options[one].shown;
      const size = fitting(text, at[2] * 0.95, most);
      return target(`${slot2}:${one}`, cell, one, at, name, letters(text, middle(at), size, "", { opacity }));
    };
    if (here.length === 1) return [shown2(here[0], place, height * 0.62, "sure", 1)];
    if (options.length > MOST_IN_SLOT) {
      const text = `${here.length} values`;
      return [drawn("g", { class: "value" }, letters(text, middle(place), fitting(text, width * 0.95, height * 0.31)))];
    }
    const columns = label ? options.length : Math.ceil(Math.sqrt(options.length));
    const [wide, high] = [width / columns, height / Math.ceil(options.length / columns)];
    return here.map((one) => {
      const at = [x + one % columns * wide, y + Math.floor(one / columns) * high, wide, high];
      return shown2(one, at, high * 0.84, "", 0.4 + 0.6 * share(cell, one));
    });
  }
  function slot(slot2, at) {
    const [cell, option, , place, label] = slot2;
    const room = label && option === null ? [place[0], place[1] + place[3], place[2], 16] : place;
    const name = chosen(cell) === void 0 ? "slot" : "slot fixed";
    return drawn("g", { class: name }, box(room, 0, ""), ...inside(slot2, at, room));
  }
  var overlay = drawn("g");
  function drawStage() {
    const focused = overlay.contains(document.activeElement);
    targets = [];
    overlay.replaceChildren(...data.boxes.map(slot));
    const beside = ({ key }) => key.split(":")[0] === current.split(":")[0];
    const reached = targets.find(({ key }) => key === current) ?? targets.find(beside) ?? targets[0];
    reached?.element.setAttribute("tabindex", "0");
    if (focused) reached?.element.focus({ preventScroll: true });
  }
  overlay.addEventListener("keydown", (event) => {
    const from = targets.find(({ element }) => element === document.activeElement);
    if (!from || !(event.key in DIRECTIONS || event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    if (!(event.key in DIRECTIONS)) return void from.element.dispatchEvent(new MouseEvent("click"));
    const to = nearest(from, targets, event.key);
    if (!to) return;
    from.element.setAttribute("tabindex", "-1");
    to.element.setAttribute("tabindex", "0");
    to.element.focus();
  });
  var stage = drawing("stage");
  if (stage) {
    stage.append(overlay);
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-label", "The picture of the model");
    stage.style.width = `${Math.min(740, 1.6 * stage.viewBox.baseVal.width)}px`;
  }
  function row({ name, options }, cell) {
    const here = alive(cell);
    const option = (one) => {
      const fill = h("span", { class: "fill" });
      fill.style.width = `${100 * share(cell, one)}%`;
      const [title, pressed] = [words(cell, one), String(chosen(cell) === one)];
      const shown3 = h("span", { "aria-hidden": "true" }, options[one].shown, " ", h("small", {}, number(counts[cell][one])));
      const properties = { title, onclick: () => toggle(cell, one), "aria-pressed": pressed, "data-key": `${cell}:${one}` };
      return h("button", properties, fill, shown3, h("span", { class: "hidden" }, title));
    };
    const more = here.length > MOST_IN_ROW && h("span", { class: "quiet" }, `and ${here.length - MOST_IN_ROW} more`);
    const shown2 = h("div", { class: "options" }, ...here.slice(0, MOST_IN_ROW).map(option), more);
    return h("tr", { class: here.length === 1 ? "sure" : "" }, h("th", { scope: "row" }, name), h("td", {}, shown2));
  }
  function drawRows() {
    if (!parts.open) return;
    const focused = document.activeElement?.dataset.key;
    rows.replaceChildren(...cells.map(row));
    if (focused) rows.querySelector(`[data-key="${focused}"]`)?.focus();
  }
  function statement(is) {
    const [, name, argument] = is.match(/^(.*)\((.*)\) is undefined$/s) ?? [];
    return argument ? `!(${argument.includes(",") ? `(${argument})` : argument} in defined(${name}))` : is;
  }
  function render() {
    compute();
    drawStage();
    drawRows();
    count.textContent = number(left.length);
    const sort = { all: "", sample: " of the sample", first: " of the first ones" }[data.extent];
    const noun = `${left.length === 1 ? "solution" : "solutions"}${sort}`;
    if (choices.length === 0) says.textContent = `${noun}${sort ? "" : " in all"}. Fix values to see which solutions are left.`;
    else if (left.length > 0) says.textContent = `${noun} with your choices.`;
    else says.textContent = "No solution of the sample has these values. Add the constraint below to the model and explore again.";
    const texts = choices.map(([cell, option]) => cells[cell].options[option].is);
    const takeBack = (text, at) => button(`${text} ✕`, "small", () => toggle(...choices[at]), "Take this choice back");
    chips.replaceChildren(...texts.map((text, at) => h("li", {}, takeBack(text, at))));
    undoButton.disabled = resetButton.disabled = choices.length === 0 && position < 0;
    before.disabled = after.disabled = left.length === 0;
    shown.textContent = position < 0 ? "all together" : `solution ${number(position + 1)} of ${number(left.length)}`;
    essence.value = `such that
    ${texts.map(statement).join(",\n    ")}`;
    inEssence.hidden = choices.length === 0;
  }
  function summary() {
    const { found, here, estimate, extent } = data;
    const sure = cells.filter(({ options }) => options.filter(({ possible }) => possible !== 0).length === 1).length;
    const unknown = cells.some(({ options }) => options.some(({ possible }) => possible === UNKNOWN));
    const round = (value) => value < 1e6 ? number(Math.round(value)) : value.toExponential(2).replace("e+", " · 10^");
    const solutions = plural(found, "solution");
    const all = found === 1 ? `There is exactly ${solutions}, and this page has it.` : `There are exactly ${solutions}, and this page has all of them.`;
    const sentences = [extent === "all" ? all : `There are at least ${solutions}.`];
    if (estimate) {
      const [likely, factor, confidence] = estimate;
      const [low, high] = [likely / factor, likely * factor].map((bound) => round(Math.max(found, bound)));
      const sure2 = `with a probability of at least ${Math.round(confidence * 100)}%, it is between ${low} and ${high}`;
      sentences.push(`Their number is estimated at ${round(likely)}: ${sure2}.`);
    }
    if (extent !== "all") {
      const kind = extent === "sample" ? "a random sample of" : "the first";
      sentences.push(`This page has ${kind} ${number(here)}; how often values occur is about these.`);
      sentences.push(unknown ? "Some possible values are not known, because a limit ended the search." : "Which values are possible is exact.");
    }
    const same = `${plural(sure, "part")} of ${cells.length} ${sure === 1 ? "has" : "have"} the same value in all solutions.`;
    return [...sentences, `${unknown ? "At least " : ""}${same}`].join(" ");
  }
  function figure(solution, caption) {
    const drawn2 = h("div", { class: "white", role: "img", "aria-label": `Solution ${number(solution + 1)}` }, drawing(solution));
    return h("figure", {}, drawn2, h("figcaption", {}, caption), button("Show above", "secondary small", () => show(solution)));
  }
  function gallery(title, about, figures) {
    const words2 = h("p", { class: "quiet" }, about);
    return h("section", { class: "panel surface" }, h("h2", {}, title), words2, h("div", { class: "gallery" }, ...figures));
  }
  function* galleries() {
    const { different, classes, classCount, symmetries, here } = data;
    if (different.length > 1) {
      const distance = (one, other) => cells.filter(({ has }) => has[one] !== has[other]).length;
      const caption = (solution, at) => {
        const least = Math.min(...different.slice(0, at).map((other) => distance(solution, other)));
        return at === 0 ? "The first one" : `Differs from the ones before in at least ${least} of ${plural(cells.length, "part")}`;
      };
      const about = "Chosen one after the other: each differs from the ones before in as many parts as possible.";
      yield gallery("Solutions that differ most", about, different.map((one, at) => figure(one, caption(one, at))));
    }
    if (classes && classCount !== null && symmetries > 0 && here > 1) {
      const some = classes.length < classCount ? `the first ${classes.length}` : "them";
      const about = `The model shows values, rows or columns that can be exchanged. Solutions that are images of each other form one class: there ${classCount === 1 ? "is" : "are"} ${plural(classCount, "class", "classes")}. One solution of each of ${some} is drawn.`;
      yield gallery("Classes under symmetry", about, classes.map(([solution, size]) => figure(solution, plural(size, "solution"))));
    }
  }
  var ABOUT = "Small values are possible: the darker, the more solutions have them. Large values are the same in all solutions that are left. Click a value to fix it; with the keyboard, use the arrow keys and Enter.";
  var picture = h(
    "section",
    { class: "panel surface", hidden: data.boxes.length === 0, "aria-label": "Possible values, drawn on the picture of the model" },
    h("p", { class: "quiet" }, ABOUT),
    h("div", { class: "stage" }, stage)
  );
  var count = h("div", { class: "count", id: "left" });
  var says = h("p", { class: "quiet", role: "status" });
  var chips = h("ul", { class: "chips" });
  var undoButton = button("Undo", "secondary", undo, "Undo the last choice (u)");
  var resetButton = button("Reset", "secondary", reset, "Forget all choices (Escape)");
  var arrow = (sign2, title, key, by) => h("button", { class: "secondary", title: `${title} (${key})`, "aria-label": title, onclick: () => step(by) }, sign2);
  var [before, after] = [arrow("◀", "The solution before", ",", -1), arrow("▶", "The next solution", ".", 1)];
  var shown = h("span", { id: "shown", "aria-live": "polite" });
  var [essence, copy2] = copyable("Your choices as a constraint", "", 3);
  var inEssence = h("section", { class: "panel surface" }, h("h2", {}, "In Essence"), essence, copy2);
  var rows = h("tbody", { id: "rows" });
  var inRows = h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "All parts" }, h("table", {}, rows));
  var open = new Set(data.boxes.map(([cell]) => cell)).size < cells.length;
  var parts = h("details", { open, ontoggle: drawRows }, h("summary", {}, "All parts and their values"), inRows);
  var steps = [h("div", { class: "bar" }, undoButton, resetButton), h("div", { class: "bar" }, before, shown, after)];
  var yours = h("section", { class: "panel surface", "aria-label": "Your choices" }, count, says, chips, ...steps);
  var main = h(
    "main",
    { class: "sheet" },
    ...[h("h1", {}, `Solutions of ${data.title}`), h("p", { class: "lead" }, summary())],
    h("div", { class: "columns" }, picture, h("aside", {}, yours, inEssence)),
    h("section", { class: "panel surface" }, parts)
  );
  document.body.append(main);
  onKeys({ u: undo, Escape: reset, ",": () => step(-1), ".": () => step(1) });
  render();
  requestAnimationFrame(() => setTimeout(() => main.append(...galleries())));
})();
