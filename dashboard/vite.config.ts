// How the dashboard is built: one page with relative addresses, so that it works wherever a server is mounted, and a script for each screen, so that
// the first one comes quickly. Nothing is inlined: the page's policy permits files of its own only.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { licences } from "../tools/dashboard/licences.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: here,
  base: "./",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [licences()],
  // The verifier of evidence is one file for Node; its page gives it what a browser has in their place.
  resolve: { alias: [{ find: /^node:(buffer|crypto|fs|url|zlib)$/, replacement: `${here}evidence/node/$1.ts` }] },
  build: {
    rolldownOptions: { input: [`${here}index.html`, `${here}evidence.html`] },
    outDir: process.env["PAWL_DASHBOARD_OUT"] ?? fileURLToPath(new URL("../dist/dashboard", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  logLevel: "warn",
});
