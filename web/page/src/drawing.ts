// Finds the values of a solution in its picture, so that a board can put its cells there.

/** A text that shows a value: the middle of its place, and the size that a cell there may have, in units of the drawing. */
interface Spot {
  text: Element;
  x: number;
  y: number;
  width: number;
  height: number;
  size: number;
}

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
  const wide = step(
    (spot) => spot.x,
    (spot) => spot.y,
  );
  const high = step(
    (spot) => spot.y,
    (spot) => spot.x,
  );
  return all.map((spot) => {
    const room = 2.3 * spot.size;
    return { ...spot, width: Math.min(0.94 * (wide ?? high ?? room), room), height: Math.min(0.94 * (high ?? wide ?? room), room) };
  });
}

/** The places where a drawing of a solution shows these values, if it shows them one after the other. */
export function spots(drawing: Document, values: string[]): Spot[] | null {
  const number = (element: Element, name: string) => Number(element.getAttribute(name));
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
