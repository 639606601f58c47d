// The suite's own assertions, small enough to need no framework. A failure names what was looked at and shows both
// sides; it is a PawlError of a broken invariant, since that is what a store that fails here has.
import { isDeepStrictEqual } from "node:util";
import type { Code } from "../../errors/catalogue.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";

export function fail(what: string): never {
  throw new PawlError("PAWL3007", what);
}

export function ok(condition: boolean, what: string): asserts condition {
  if (!condition) fail(what);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) {
    fail(`${what}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`);
  }
}

/** The answer is of this kind, and is narrowed to it. */
export function kind<A extends { readonly kind: string }, K extends A["kind"]>(answer: A | undefined, k: K): Extract<A, { kind: K }> {
  if (answer?.kind !== k) fail(`expected the answer ${k}, got ${JSON.stringify(answer)}`);
  return answer as Extract<A, { kind: K }>;
}

export function present<T>(value: T | undefined, what: string): T {
  return value === undefined ? fail(`${what}: nothing there`) : value;
}

/** `verb` fails with this code. */
export async function throws(code: Code, verb: () => unknown): Promise<PawlError> {
  try {
    await verb();
  } catch (e) {
    if (isPawlError(e, code)) return e;
    fail(`expected ${code}, got ${e instanceof Error ? `${e.name}: ${e.message}` : String(e)}`);
  }
  return fail(`expected ${code}, got an answer`);
}

/** `verb` fails, as it does for a process that dies in it. */
export async function unanswered(verb: () => unknown): Promise<boolean> {
  try {
    await verb();
  } catch {
    return true;
  }
  return false;
}
