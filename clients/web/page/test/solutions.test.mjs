// A page in the browser finds the same solutions as the native program with its default solver: for all models with
// their data, and for 300 fixtures, in one page. PROGRAM names the program.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fixtures, models } from "../../engine/test/cases.mjs";
import { DIST, fresh, launch, serve, skip as missing } from "./common.mjs";

const PROGRAM = process.env.PROGRAM ?? "";
const skip = missing || (!existsSync(PROGRAM) && "PROGRAM does not name the program");

/** Above this number of solutions, only the number is compared. */
const MOST = 100;

/** The program's solutions: objects as texts; `null` if it rejects the instance. */
async function natively({ model, data }, folder) {
  const files = [model, ...data].map(({ text }, at) => {
    const file = join(folder, at === 0 ? "model.essence" : `${at}.param`);
    writeFileSync(file, text);
    return file;
  });
  const words = ["solve", ...files, "--output-format=jsonstream", `--number-of-solutions=${MOST + 1}`];
  const { code, stdout } = await new Promise((done) =>
    execFile(PROGRAM, words, { maxBuffer: 1 << 28 }, (error, stdout) => done({ code: error?.code ?? 0, stdout })),
  );
  assert.ok(code === 0 || code === 2, `the program ends with ${code}`);
  if (code === 2) return null;
  const lines = stdout.split("\n").filter(Boolean);
  return lines.map((line) => JSON.stringify(JSON.parse(line, (key, value) => (key === "$objective" ? undefined : value))));
}

test("solutions in the page are those of the program", { skip }, async () => {
  const [server, browser, folder] = [await serve(), await launch(), mkdtempSync(join(tmpdir(), "essence-solutions-"))];
  try {
    const page = await fresh(browser, server.url);
    const assets = readdirSync(join(DIST, "assets"));
    const asset = (name) => `assets/${assets.find((file) => file.startsWith(name))}`;
    await page.evaluate(
      async ([engine, script]) => {
        const packed = (await fetch(engine)).body.pipeThrough(new DecompressionStream("gzip"));
        const module = await WebAssembly.compile(await new Response(packed).arrayBuffer());
        const worker = new Worker(script, { type: "module" });
        worker.postMessage({ module });
        globalThis.answer = (request) =>
          new Promise((done) => {
            const lines = [];
            worker.onmessage = ({ data }) => ("line" in data ? lines.push(JSON.parse(data.line)) : done({ lines, errors: data.ended }));
            worker.postMessage({ request: JSON.stringify(request) });
          });
      },
      [asset("engine-"), asset("worker-")],
    );
    const cases = [...models(), ...fixtures(300)];
    const refused = [];
    let solutions = 0;
    for (const request of cases) {
      const name = [request.model, ...request.data].map(({ name }) => name).join(" ");
      const expected = await natively(request, folder);
      const asked = { ...request, verb: "solve", solutions: MOST + 1, pictures: false };
      const { lines, errors } = await page.evaluate((asked) => globalThis.answer(asked), asked);
      const last = lines.at(-1);
      assert.ok(["result", "failure"].includes(last?.type), `${name}: ${errors}`);
      if (last.type === "failure" && expected !== null) {
        // Allow numbers that are too large for clauses, which only Z3 accepts, and texts that nest too deeply for a
        // page.
        assert.ok(
          last.diagnostics.every(({ code }) => ["E0601", "E0102"].includes(code)),
          `${name}: ${JSON.stringify(last.diagnostics)}`,
        );
        refused.push(name);
        continue;
      }
      assert.equal(last.type === "failure", expected === null, name);
      if (expected === null) continue;
      const found = lines.filter(({ type }) => type === "solution").map(({ json }) => JSON.stringify(json));
      assert.equal(found.length, expected.length, name);
      if (found.length <= MOST) assert.deepEqual(found.sort(), expected.sort(), name);
      solutions += found.length;
    }
    assert.ok(solutions > cases.length, `${solutions} solutions`);
    assert.ok(refused.length < 10, `refused: ${refused.join(", ")}`);
    console.log(`# ${cases.length} instances, ${solutions} solutions; refused in the page: ${refused.join(", ") || "none"}`);
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
