// What travels: the files of the first screen, packed, and that the package ships every file of the built dashboard. Sizes are the same on every machine, so
// that a size over its budget is always an error.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildDashboard } from "../built.ts";
import type { Measured } from "./measure.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const firstScreenBytesMax = 60 * 1_024;

export async function sizeBudget(): Promise<readonly Measured[]> {
  const built = await buildDashboard();
  const bytes = linkedFiles(built).reduce((n, file) => n + gzipSync(readFileSync(join(built, file))).byteLength, 0);
  const missing = notShipped(built);
  const files = builtFiles(built).length;
  return [
    {
      what: "first screen, packed",
      measured: `${(bytes / 1_024).toFixed(1)} KiB`,
      budget: "at most 60 KiB",
      kind: "bytes",
      kept: bytes <= firstScreenBytesMax,
    },
    {
      what: "files of the dashboard in the package",
      measured: missing.length === 0 ? `${files} of ${files}` : `missing: ${missing.join(", ")}`,
      budget: "all",
      kind: "bytes",
      kept: missing.length === 0,
    },
  ];
}

/** What the page names: its scripts, styles and what they need at once. */
export function linkedFiles(built: string): readonly string[] {
  return [...readFileSync(join(built, "index.html"), "utf8").matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map((m) => m[1]!);
}

function builtFiles(built: string): readonly string[] {
  return readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll("\\", "/"));
}

/** Built files that `npm pack` leaves out. */
function notShipped(built: string): readonly string[] {
  const said = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = Object.values(JSON.parse(said) as Record<string, { readonly files: readonly { readonly path: string }[] }>);
  const paths = new Set(packed!.files.map((f) => f.path));
  return builtFiles(built).filter((file) => !paths.has(file));
}
