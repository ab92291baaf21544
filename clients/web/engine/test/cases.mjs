// The models of the repository with their data, as requests.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

const read = (path) => ({ name: path, text: readFileSync(join(ROOT, path), "utf8") });

const files = (folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(ROOT.length))
    .sort();

/** A model without parameters, or the data that name their model in a comment. */
function request(path, folder) {
  const text = read(path);
  if (path.endsWith(".essence")) return { model: text, data: [] };
  const model = /^\$ model: (\S+)/m.exec(text.text);
  return model && { model: read(join(folder ?? join(path, ".."), model[1])), data: [text] };
}

/** Every model in `models`, alone and with each of its data in `params`. */
export const models = () => [
  ...files("models").map((path) => request(path)),
  ...files("params").filter((path) => path.endsWith(".param")).map((path) => request(path, "models")),
].filter(Boolean);

/** So many fixtures of the tests, spread over all of them. */
export function fixtures(count) {
  const all = files("tests/fixtures").map((path) => request(path)).filter(Boolean);
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, position) => all[Math.floor(position * step)]);
}
