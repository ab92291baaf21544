// Generated from clients/web/page/src/reports/campaign.ts: change that, and run `npm run reports` in clients/web/page.
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
  function button(label2, classes, onClick, title) {
    return h("button", { class: classes, onclick: onClick, ...title ? { title } : {} }, label2);
  }
  function choice(label2, options, value, onChange) {
    const select = h(
      "select",
      { onchange: () => onChange(select.value) },
      ...options.map(([key, text]) => h("option", { value: key }, text))
    );
    select.value = value;
    return h("label", { class: "choice" }, h("span", {}, label2), select);
  }
  function table(columns, rows, numbers, classes = "") {
    const kind = (at) => at >= numbers[0] && at <= numbers[1] ? "number" : "";
    const cell = (one, at) => at === 0 ? h("th", { scope: "row" }, one) : h("td", { class: kind(at) }, one);
    const head = columns.map((one, at) => h("th", { scope: "col", class: kind(at) }, one));
    const body = rows.map((row) => h("tr", {}, ...row.map(cell)));
    return h("table", { class: classes }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body));
  }
  var scrolled = (label2, classes, ...children) => h("div", { class: `scrolled ${classes}`, tabIndex: 0, role: "region", "aria-label": label2 }, ...children);

  // src/numbers.ts
  var number = (value) => value.toLocaleString("en");

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
  onThemeAround((theme) => document.documentElement.dataset.theme = theme);

  // src/reports/campaign.ts
  var data = dataOf();
  var colour = (at) => `var(--c${at % 8})`;
  function inSeconds(time) {
    if (time === null) return "–";
    return time < 100 ? time.toFixed(time < 10 ? 2 : 1) : number(Math.round(time));
  }
  var list = (title, items, name) => items.length > 0 && h("section", { class: name }, h("h2", {}, title), h("ul", {}, ...items.map((item) => h("li", {}, item))));
  var COLUMNS = [
    ...[["family", "Family"], ["setting", "Setting"], ["tasks", "Tasks"], ["solved", "Answers"], ["time", "Time limit"]],
    ...[["memory", "Memory limit"], ["other", "Unknown or error"], ["open", "No result"], ["par2", "PAR2 in s"], ["median", "Median in s"]]
  ];
  var families = scrolled("Results by family and setting", "surface");
  function shown(key, value) {
    if (typeof value === "string") return value;
    return key === "par2" || key === "median" ? inSeconds(value) : number(value ?? 0);
  }
  function sort(by, ascending) {
    const value = (row) => by < 0 ? 0 : row[COLUMNS[by][0]] ?? Infinity;
    const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0) * (ascending ? 1 : -1);
    const rows = data.rows.toSorted((one, other) => compare(value(one), value(other)));
    const headings = COLUMNS.map(([, title], at) => button(title, "", () => sort(at, by !== at || !ascending)));
    const cells = rows.map((row) => COLUMNS.map(([key]) => shown(key, row[key])));
    const made = table(headings, cells, [2, COLUMNS.length - 1]);
    made.id = "families";
    families.replaceChildren(made);
    headings[by]?.parentElement?.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    headings[by]?.focus();
  }
  var HEIGHT = 400;
  var [LEFT, TOP, BOTTOM] = [46, 10, 40];
  var least = Math.min(data.limit / 10, ...data.curves.flatMap(({ points }) => points.map(([, time]) => Math.max(time, 1e-3))));
  var [low, high] = [10 ** Math.floor(Math.log10(least)), data.limit * 1.6];
  var decades = [];
  for (let power = low; power <= high; power *= 10) decades.push(Number(power.toPrecision(1)));
  var along = (time, from, to) => from + (to - from) * Math.log(Math.max(time, low) / low) / Math.log(high / low);
  var up = (time) => along(time, HEIGHT - BOTTOM, TOP);
  var plot = (width, label2) => drawn("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label2 });
  var line = (name, x1, y1, x2, y2, more = {}) => drawn("line", { class: name, x1, y1, x2, y2, ...more });
  var label = (text, x, y, anchor, more = {}) => drawn("text", { x, y, "text-anchor": anchor, ...more }, text);
  var upright = (x, text) => [line("grid", x, TOP, x, HEIGHT - BOTTOM), label(text, x, HEIGHT - BOTTOM + 16, "middle")];
  var across = (y, to, text) => [line("grid", LEFT, y, to, y), label(text, LEFT - 6, y + 4, "end")];
  function cactus() {
    const [width, end] = [460, 356];
    const most = Math.max(1, ...data.curves.map(({ points }) => points.at(-1)?.[0] ?? 0));
    const x = (count) => LEFT + (end - LEFT) * count / most;
    const svg = plot(width, "For each setting, the number of runs with an answer within a time");
    svg.append(...decades.flatMap((time) => across(up(time), end, `${time} s`)));
    const step = Math.max(1, 10 ** Math.floor(Math.log10(most)));
    const every = most / step > 5 ? step * 2 : most / step > 2 ? step : Math.max(1, step / 2);
    for (let count = 0; count <= most; count += every) svg.append(...upright(x(count), number(count)));
    svg.append(line("axis", LEFT, up(data.limit), end, up(data.limit), { "stroke-dasharray": "2 4" }));
    svg.append(label("runs with an answer", (LEFT + end) / 2, HEIGHT - 4, "middle"));
    const labels = [];
    for (const [at, { setting, points }] of data.curves.entries()) {
      const last = points.at(-1);
      if (!last) continue;
      const d = `M${points.map(([count, time]) => `${x(count).toFixed(1)} ${up(time).toFixed(1)}`).join("L")}`;
      const dashes = at > 0 ? ["9 3 2 3", "7 3", "2 3"][at % 3] : "none";
      const title = drawn("title", {}, `${setting}: ${number(last[0])} answers`);
      svg.append(drawn("path", { class: "curve", d, stroke: colour(at), "stroke-linejoin": "round", "stroke-dasharray": dashes }, title));
      svg.append(drawn("circle", { cx: x(last[0]), cy: up(last[1]), r: 3.5, fill: colour(at) }));
      labels.push({ at, setting, x: x(last[0]) + 8, y: up(last[1]) + 4 });
    }
    labels.sort((one, other) => one.y - other.y);
    for (const [index, one] of labels.entries()) {
      if (index > 0) one.y = Math.max(one.y, labels[index - 1].y + 14);
      const text = one.setting.length > 14 ? `${one.setting.slice(0, 13)}…` : one.setting;
      svg.append(label(text, one.x, Math.min(one.y, HEIGHT - 6), "start", { class: "name", style: `fill: ${colour(one.at)}` }));
    }
    return svg;
  }
  var chosen = [0, Math.min(1, data.settings.length - 1)];
  var plotted = h("div", { id: "scatter" });
  var differences = h("div");
  function scatter() {
    const [one, other] = chosen.map((setting) => data.settings[setting]);
    const [side, end] = [400, 390];
    const right = (time) => along(time, LEFT, end);
    const svg = plot(side, `The time of ${one} and of ${other} for each run; a table of the largest differences follows`);
    svg.append(...decades.flatMap((time) => [...across(up(time), end, `${time}`), ...upright(right(time), `${time}`)]));
    svg.append(line("axis", right(low), up(low), right(high), up(high), { "stroke-dasharray": "4 4" }));
    svg.append(label(`seconds of ${one}`, (LEFT + side) / 2, side - 6, "middle"));
    svg.append(label(`seconds of ${other}`, 0, 0, "middle", { transform: `translate(11 ${(side - BOTTOM) / 2}) rotate(-90)` }));
    const place = (time) => time < 0 ? data.limit * 1.3 : time;
    const said = (time) => time < 0 ? "no answer" : `${inSeconds(time)} s`;
    const pairs = data.runs.flatMap(([name, ...times]) => {
      const [x, y] = chosen.map((setting) => times[setting]);
      return x === null || y === null ? [] : [{ name, x, y, ratio: Math.abs(Math.log(Math.max(place(x), low) / Math.max(place(y), low))) }];
    });
    for (const { name, x, y } of pairs) {
      const title = drawn("title", {}, `${name}: ${said(x)}, ${said(y)}`);
      svg.append(drawn("circle", { class: x < 0 || y < 0 ? "point limit" : "point", cx: right(place(x)), cy: up(place(y)), r: 4 }, title));
    }
    plotted.replaceChildren(svg);
    const large = pairs.filter(({ ratio }) => chosen[0] !== chosen[1] && ratio > Math.log(1.5));
    const largest = large.sort((one2, other2) => other2.ratio - one2.ratio).slice(0, 10);
    const rows = largest.map(({ name, x, y }) => [name, said(x), said(y)]);
    const listed = scrolled("The largest differences", "surface", table(["Run", one, other], rows, [1, 2]));
    differences.replaceChildren(...rows.length > 0 ? [h("h2", {}, "The largest differences"), listed] : []);
  }
  var figure = (caption, ...parts) => h("figure", { class: "surface" }, h("figcaption", {}, caption), ...parts);
  var settings = data.settings.map((setting, at) => [String(at), setting]);
  var chooser = (which) => choice(which === 0 ? "Across:" : "Up:", settings, String(chosen[which]), (value) => (chosen[which] = Number(value), scatter()));
  var contradictions = data.contradictions.length === 1 ? "A contradiction" : `${data.contradictions.length} contradictions`;
  var MEANING = "PAR2 is the mean time, where a run without a definite answer counts twice the time limit. The median is of the runs with one.";
  var charts = h("div", { class: "charts" }, figure("How many runs have an answer within a time", h("div", { id: "cactus" }, cactus())));
  if (data.settings.length > 1) charts.append(figure("Two settings, run by run", h("div", {}, chooser(0), chooser(1)), plotted));
  var wrong = list(contradictions, data.contradictions, "bad");
  document.body.append(
    h(
      "main",
      { class: "sheet" },
      ...[h("h1", {}, data.title), h("p", { class: "lead" }, data.summary), wrong, list("Instances in cubes", data.cubes, "")],
      ...[h("h2", {}, "Families and settings"), h("p", { class: "lead" }, MEANING), families, h("h2", {}, "Times"), charts, differences]
    )
  );
  sort(-1, true);
  if (data.settings.length > 1) scatter();
})();
