// Bundles the extension, so that the package needs no node_modules: once for desktop editors with the program, and once
// for editors in a browser. The latter take the engine from the page of apps, which `make app` builds; CONJURE_LIKE_APP
// overrides its path.
import { build } from "esbuild";
import { copyFileSync, existsSync } from "node:fs";

const shared = { bundle: true, minify: true, format: "cjs", external: ["vscode"] };
await build({ ...shared, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", platform: "node", target: "node18" });
await build({ ...shared, entryPoints: ["src/web/extension.ts"], outfile: "dist/web.js", platform: "browser", target: "es2022" });

const page = process.env.CONJURE_LIKE_APP || "../../web/app.html";
if (existsSync(page)) copyFileSync(page, "dist/app.html");
else console.warn(`There is no page at ${page}: the package does nothing in editors that are pages.`);
