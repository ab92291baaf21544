// Finds the values of a solution in its picture, so that a board can put its cells there.

/** A text that shows a value: the middle of its place, and the size that a cell there may have, in units of the drawing. */
export interface Spot {
  text: Element;
  /** The rectangle around it, if each value has its own. */
  box?: Element | undefined;
  x: number;
  y: number;
  width: number;
  height: number;
  size: number;
}

/** The width of a letter, in sizes of the font. */
export const WIDTH = 0.75;

const number = (element: Element, name: string) => Number(element.getAttribute(name));

/** What the groups around an element move it by. */
function moved(element: Element): [number, number] {
  let [x, y] = [0, 0];
  for (let group = element.parentElement; group; group = group.parentElement) {
    const [, right = "0", down = "0"] = /^translate\(([-\d.]+)[ ,]+([-\d.]+)\)$/.exec(group.getAttribute("transform") ?? "") ?? [];
    x += Number(right);
    y += Number(down);
  }
  return [x, y];
}

/** Gives places the size that their distance allows. */
function sized(all: Spot[]): Spot[] {
  const step = (along: (spot: Spot) => number, across: (spot: Spot) => number) => {
    let least = Infinity;
    for (const [index, one] of all.entries()) {
      const other = all.slice(index + 1).find((later) => Math.abs(across(later) - across(one)) < 1);
      if (other) least = Math.min(least, Math.abs(along(other) - along(one)));
    }
    return Number.isFinite(least) ? least : undefined;
  };
  const [x, y] = [(spot: Spot) => spot.x, (spot: Spot) => spot.y];
  const [wide, high] = [step(x, y), step(y, x)];
  const longest = Math.max(...all.map(({ text }) => text.textContent?.length ?? 0));
  const boxes = boxesAround(all);
  return all.map((spot) => {
    const room = spot.size * Math.max(2.3, WIDTH * longest + 0.5);
    const box = boxes.get(spot);
    const [width, height] = box ? [box.width, box.height] : [0.94 * (wide ?? high ?? room), 0.94 * (high ?? wide ?? room)];
    return { ...spot, box: box?.element, width: box ? width : Math.min(width, room), height: box ? height : Math.min(height, room) };
  });
}

interface Box {
  element: Element;
  width: number;
  height: number;
}

/** The narrowest rectangle around each text that is around no other one. */
function boxesAround(all: Spot[]): Map<Spot, Box> {
  const boxes = new Map<Spot, Box>();
  for (const group of new Set(all.map(({ text }) => text.parentElement))) {
    const rectangles = [...(group?.querySelectorAll(":scope > rect") ?? [])];
    const [right, down] = rectangles[0] ? moved(rectangles[0]) : [0, 0];
    for (const element of rectangles) {
      const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => number(element, name)) as [number, number, number, number];
      const [left, top] = [x + right, y + down];
      const [one, other] = all.filter((spot) => left < spot.x && spot.x < left + width && top < spot.y && spot.y < top + height);
      if (one && !other && one.text.parentElement === group && width < (boxes.get(one)?.width ?? Infinity)) boxes.set(one, { element, width, height });
    }
  }
  return boxes;
}

/** Takes a value out of the drawing: its text, and the colour of its place, which may tell the value. */
export function conceal({ text, box }: Spot): void {
  text.setAttribute("visibility", "hidden");
  box?.setAttribute("fill", "#ffffff");
  box?.setAttribute("stroke", "#94a3b8");
}

/** The places where a drawing of a solution shows these values, if it shows them one after the other. */
export function spots(drawing: Document, values: string[]): Spot[] | null {
  // In a graph or a tour, the lines tell the solution, too.
  if (drawing.querySelector("circle, ellipse, polygon")) return null;
  const texts = [...drawing.querySelectorAll("text")];
  for (const size of new Set(texts.map((text) => number(text, "font-size")))) {
    const alike = texts.filter((text) => number(text, "font-size") === size);
    for (let from = 0; from + values.length <= alike.length; from++) {
      if (!values.every((value, index) => alike[from + index]?.textContent === value)) continue;
      return sized(
        alike.slice(from, from + values.length).map((text) => {
          const [right, down] = moved(text);
          return { text, x: number(text, "x") + right, y: number(text, "y") + down - 0.35 * size, width: 0, height: 0, size };
        }),
      );
    }
  }
  return null;
}
