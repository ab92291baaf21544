// The models of the repository with their data, as requests.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Reads the models of a folder with the layout of the repository, and their data. */
function repository(root) {
  const read = (path) => ({ name: path, text: readFileSync(join(root, path), "utf8") });
  return {
    files: (folder) =>
      readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
        .sort(),
    /** The request for a model without parameters, or for data, which name their model in a comment. */
    request(path, folder) {
      const text = read(path);
      if (path.endsWith(".essence")) return { model: text, data: [] };
      const model = /^\$ model: (\S+)/m.exec(text.text);
      return model && { model: read(join(folder ?? join(path, ".."), model[1])), data: [text] };
    },
  };
}

const { files, request } = repository(ROOT);

/** Every model in `models`, alone and with each of its data in `params`. */
export const models = () => [
  ...files("models").map((path) => request(path)),
  ...files("params").filter((path) => path.endsWith(".param")).map((path) => request(path, "models")),
].filter(Boolean);

/** This many fixtures of the tests, evenly spread. */
export function fixtures(count) {
  const folder = mkdtempSync(join(tmpdir(), "fixtures-"));
  execFileSync(join(ROOT, "tests/unpack"), [join(ROOT, "tests/fixtures"), join(folder, "tests/fixtures")]);
  const unpacked = repository(folder);
  const all = unpacked.files("tests/fixtures").map((path) => unpacked.request(path)).filter(Boolean);
  rmSync(folder, { recursive: true });
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, position) => all[Math.floor(position * step)]);
}
