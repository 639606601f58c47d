// Where this package lies, and what it says of itself: its version, its pages. Looked for upward from this file, so that
// a build and the sources find the same.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readBytes, readText } from "./files.ts";

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

let cachedPackage: { readonly dir: string; readonly manifest: Manifest } | undefined;

function ownPackage(): { readonly dir: string; readonly manifest: Manifest } {
  if (cachedPackage !== undefined) return cachedPackage;
  for (let dir = dirname(fileURLToPath(import.meta.url)); ; dir = dirname(dir)) {
    const manifest = JSON.parse(readText(join(dir, "package.json")) ?? "{}") as Manifest;
    if (manifest.name === "pawl" || dirname(dir) === dir) return (cachedPackage = { dir, manifest });
  }
}

export function ownVersion(): string {
  return ownPackage().manifest.version ?? "0.0.0";
}

/** A file of the package; undefined when there is none. */
export function ownFile(...path: string[]): string | undefined {
  return readText(join(ownPackage().dir, ...path));
}

/** The same for files that are not text. */
export function ownBytes(...path: string[]): Uint8Array | undefined {
  return readBytes(join(ownPackage().dir, ...path));
}
