// What differs between two JSON values, by JSON pointer: enough to see where two states part. It is pure, and must never give the whole of
// both.
import type { Tree } from "../../core/graph/channels.ts";

export interface TreeDifference {
  /** JSON pointer. */
  readonly path: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

const differencesMax = 100;

export function diffTrees(expected: Tree, actual: Tree): readonly TreeDifference[] {
  const found: TreeDifference[] = [];
  walk(expected, actual, "", found);
  return found;
}

function walk(a: unknown, b: unknown, path: string, found: TreeDifference[]): void {
  if (found.length >= differencesMax || a === b) return;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
    found.push({ path, ...(a === undefined ? {} : { expected: a }), ...(b === undefined ? {} : { actual: b }) });
    return;
  }
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
    walk(a[name], b[name], `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, found);
}
function isObject(x: unknown): x is Record<string, unknown> {
  return typeof x === "object" && x !== null;
}
