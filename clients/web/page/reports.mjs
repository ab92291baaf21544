// Builds the scripts of the pages that the program writes. They are committed beside the sources that include them, so
// that `cargo build` needs no Node. They are not minified, so that a review shows the change, and readers of a page can
// see what it does.

import { build } from "esbuild";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = import.meta.dirname;
const SCRIPTS = { search: "src/laboratory/page.js", explore: "src/explore/page.js", campaign: "cli/solving/campaign/report.js" };

/** The contents of each script, with its path. */
export async function reports() {
  const one = async ([name, path]) => {
    const banner = `// Generated from clients/web/page/src/reports/${name}.ts: change that, and run \`npm run reports\` in clients/web/page.`;
    const options = { bundle: true, charset: "utf8", format: "iife", legalComments: "none", logLevel: "warning", target: "es2022", write: false };
    const entry = { absWorkingDir: HERE, entryPoints: [`src/reports/${name}.ts`], banner: { js: banner } };
    const { outputFiles } = await build({ ...entry, ...options });
    return { path: join(HERE, "../../..", path), text: outputFiles[0].text };
  };
  return Promise.all(Object.entries(SCRIPTS).map(one));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const { path, text } of await reports()) writeFileSync(path, text);
