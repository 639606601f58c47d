// Array parameters as the server reads them. A batch is one parameter per column whatever its size; writing the literals
// here is several times faster than the driver's own conversion, and this is on the path of every step.

export function textArray(values: readonly (string | null)[]): string {
  if (values.length === 0) return "{}";
  // Ids, hashes and types need no escape: joined at once, they leave no pieces for the collector.
  if (values.every(isPlain)) return `{"${values.join('","')}"}`;
  return `{${values.map((v) => (v === null ? "NULL" : `"${v.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`)).join(",")}}`;
}

function isPlain(v: string | null): boolean {
  return v !== null && !v.includes('"') && !v.includes("\\");
}

export function numberArray(values: readonly (number | null)[]): string {
  return `{${values.map((v) => v ?? "NULL").join(",")}}`;
}

export function booleanArray(values: readonly (boolean | null)[]): string {
  return `{${values.map((v) => (v === null ? "NULL" : v ? "t" : "f")).join(",")}}`;
}
