// Prints how many seconds of processor time the module for WebAssembly takes for a request: the file $1, $2 times in one process,
// or for two seconds if that is longer. benches/browser.py runs it.

import { readFileSync } from "node:fs";
import { inPage } from "./engine.mjs";

/** The processor time of this thread only, because other threads of Node optimise the code meanwhile. Linux only. */
const used = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e9;

const [file, runs] = process.argv.slice(2);
const begun = performance.now();
const request = JSON.parse(readFileSync(file, "utf8"));
for (let run = 0; run < Number(runs) || performance.now() < begun + 2000; run += 1) {
  const before = used();
  const { lines, errors } = inPage(request);
  const seconds = used() - before;
  console.log(JSON.stringify({ seconds, type: lines.at(-1)?.type, status: lines.at(-1)?.status, errors }));
}
