// Import direction. A layer imports downwards only; core is pure; a store's folder knows the port and nothing above it;
// only the entry points (and the command line, through them) put a store and the engine together; a driver package is
// named in its store's driver file alone. Tests are free of this: they look at everything.
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { syntaxOf } from "./syntax.mjs";
import { isTest, standsAlone } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

/** Lowest first. */
export const layers = [
  "platform",
  "errors",
  "core",
  "codec",
  "events",
  "store",
  "log",
  "readers",
  "webhooks",
  "access",
  "engine",
  "workflow",
  "tools",
  "graph",
  "agent",
  "adapters",
  "dag",
  "queue",
  "schedule",
  "verifiers",
  "api",
  "client",
  "mcp",
  "server",
  "testing",
  "cli",
];

const driverPackages = ["node:sqlite", "@photostructure/sqlite", "better-sqlite3", "pg", "mysql2", "mysql2/promise"];

/** Packages that have one place: what they do is reached through it. */
const packageHomes = new Map([
  ["croner", /^src\/schedule\/cron\.ts$/],
  ["zod", /^src\/api\/schemas\//],
  ["jose", /^src\/server\/access\/jwt\.ts$/],
  ["yaml", /^src\/cli\/runs\/read-template\.ts$/],
  ["@modelcontextprotocol/server", /^src\/mcp\//],
  ["@modelcontextprotocol/server/stdio", /^src\/mcp\//],
]);

/** What pure computation may take from Node outside platform; everything else touches the machine. */
const harmlessBuiltins = new Set(["path", "path/posix", "url", "util", "util/types", "buffer", "events", "string_decoder"]);

/** @param {string} path */
function placeOf(path) {
  const parts = path.split("/");
  if (parts[0] !== "src") return { layer: "outside" };
  if (parts.length === 2) return { layer: "entry" };
  // store/sql is what the databases' folders share.
  const folder = parts[1] === "store" && parts.length > 3 && parts[2] !== "sql" ? parts[2] : undefined;
  return { layer: parts[1] ?? "", ...(folder === undefined ? {} : { folder }) };
}

/**
 * Why `from` may not import `to`, both project paths; undefined if it may.
 * @param {string} from
 * @param {string} to
 */
function forbidden(from, to) {
  const a = placeOf(from);
  const b = placeOf(to);
  if (b.layer === "outside") return "the package's source imports nothing outside src";
  if (a.layer === "entry") return undefined;
  if (b.layer === "entry") return a.layer === "cli" ? undefined : "only the command line imports an entry point";
  if (b.folder !== undefined && a.folder !== b.folder) return "a store's folder is imported by entry points only";
  if (a.layer === b.layer) return undefined;
  if (a.layer === "core" && b.layer !== "errors") return "core imports only core and errors";
  const [high, low] = [layers.indexOf(a.layer), layers.indexOf(b.layer)];
  return low < high ? undefined : `${a.layer} lies below ${b.layer}: imports go downwards only`;
}

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function layerProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  for (const [path, text] of tree) {
    if (!path.startsWith("src/") || !path.endsWith(".ts") || isTest(path)) continue;
    const { layer } = placeOf(path);
    if (layer !== "entry" && !layers.includes(layer))
      problems.push({ path, message: `src/${layer} is not a layer (${layers.join(" < ")})` });
    const syntax = syntaxOf(path, text);
    for (const { specifier, start } of syntax.imports) {
      const reason = importProblem(path, specifier);
      if (reason) problems.push({ path, line: syntax.lineOf(start), message: `import of "${specifier}": ${reason}` });
    }
    if (isDriver(path)) continue;
    for (const s of syntax.strings) {
      // A driver smuggled in by a name that is imported at run time.
      if (driverPackages.includes(s["value"]) && !syntax.imports.some((i) => i.start === s.start)) {
        problems.push({
          path,
          line: syntax.lineOf(s.start),
          message: `"${s["value"]}": a driver package is named only in store/<db>/[wire/]driver.ts`,
        });
      }
    }
  }
  return problems;
}

/** @param {string} path */
function isDriver(path) {
  return /^src\/store\/[^/]+\/(wire\/)?driver\.ts$/.test(path);
}

/**
 * @param {string} path
 * @param {string} specifier
 */
function importProblem(path, specifier) {
  if (standsAlone(path)) return specifier.startsWith("node:") ? undefined : "it stands alone: Node's own modules and nothing else";
  if (specifier.startsWith(".")) return forbidden(path, posix.normalize(posix.join(posix.dirname(path), specifier)));
  if (driverPackages.includes(specifier))
    return isDriver(path) ? undefined : "a driver package is imported only in store/<db>/[wire/]driver.ts";
  const home = packageHomes.get(specifier);
  if (home !== undefined && !home.test(path))
    return `this package is imported only in ${home.source.replaceAll("\\", "").replace(/^\^|\$$/g, "")}`;
  const bare = specifier.replace(/^node:/, "");
  const { layer } = placeOf(path);
  if (specifier.startsWith("node:") || builtinModules.includes(bare)) {
    if (layer === "core") return "core imports nothing of Node";
    if (layer === "platform" || (isDriver(path) && bare === "module") || harmlessBuiltins.has(bare)) return undefined;
    return "only platform touches the machine";
  }
  if (layer === "core" || layer === "errors") return `${layer} imports no package`;
  return undefined;
}
