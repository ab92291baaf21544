// The committed scripts of the program's pages are up to date.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const skip = !existsSync(join(import.meta.dirname, "../node_modules/esbuild")) && "esbuild is not installed in clients/web/page";

test("the scripts that are committed are what their sources give", { skip }, async () => {
  const { reports } = await import("../reports.mjs");
  for (const { path, text } of await reports()) {
    assert.ok(readFileSync(path, "utf8") === text, `${path} is not what its source gives: run \`npm run reports\` in clients/web/page`);
    for (const mark of ["</script", "<!--"]) assert.ok(!text.includes(mark), `${path}: ${mark}`);
  }
});
