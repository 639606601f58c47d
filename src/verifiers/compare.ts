// How verifiers compare what they find with what was recorded: JSON values by content, rows by column, members of a document by
// RFC 6901 pointer. Nothing is coerced in a way that could make two different things equal; what cannot be compared differs.

type VerifierAnswer = { matches: true } | { matches: false; reason: string };
export const matches: VerifierAnswer = { matches: true };
export function differs(reason: string): VerifierAnswer {
  return { matches: false, reason };
}

/** Same content. Numbers of either kind compare by value, times by their instant, bytes byte by byte. */
export function isSame(expected: unknown, found: unknown): boolean {
  if (Object.is(expected, found)) return true;
  if (isNumber(expected) && isNumber(found)) return expected <= found && expected >= found;
  if (expected instanceof Date && found instanceof Date) return expected.getTime() === found.getTime();
  if (expected instanceof Uint8Array && found instanceof Uint8Array) return Buffer.compare(expected, found) === 0;
  if (Array.isArray(expected) && Array.isArray(found))
    return expected.length === found.length && expected.every((e, i) => isSame(e, found[i]));
  if (!isPlain(expected) || !isPlain(found)) return false;
  const names = Object.keys(expected);
  return names.length === Object.keys(found).length && names.every((n) => Object.hasOwn(found, n) && isSame(expected[n], found[n]));
}

/** The first member of `expected`, as a pointer, that `found` does not have like that; null when it has them all, and maybe more. */
export function firstMissing(expected: unknown, found: unknown, at = ""): string | null {
  if (!isPlain(expected)) return isSame(expected, found) ? null : at;
  if (!isPlain(found)) return at;
  for (const name of Object.keys(expected)) {
    const here = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(found, name)) return here;
    const missing = firstMissing(expected[name], found[name], here);
    if (missing !== null) return missing;
  }
  return null;
}

/** RFC 6901. undefined where the document has nothing. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === "") return document;
  let value = document;
  for (const token of pointer.slice(1).split("/")) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
    else value = isPlain(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** Short text for a reason. */
export function valueText(value: unknown): string {
  const text = typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

function isNumber(v: unknown): v is number | bigint {
  return typeof v === "number" || typeof v === "bigint";
}
function isPlain(v: unknown): v is Readonly<Record<string, unknown>> {
  return typeof v === "object" && v !== null && !Array.isArray(v) && !(v instanceof Date) && !(v instanceof Uint8Array);
}
