// Array parameters as the server reads them. A batch is one parameter per column whatever its size; writing the literals
// here is several times faster than the driver's own conversion, and this is on the path of every step.

export function textArray(values: readonly (string | null)[]): string {
  let out = "{";
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (i > 0) out += ",";
    if (v === null || v === undefined) out += "NULL";
    else out += `"${v.includes('"') || v.includes("\\") ? v.replaceAll(/["\\]/g, "\\$&") : v}"`;
  }
  return `${out}}`;
}

export function numberArray(values: readonly (number | null)[]): string {
  return `{${values.map((v) => v ?? "NULL").join(",")}}`;
}

export function booleanArray(values: readonly (boolean | null)[]): string {
  return `{${values.map((v) => (v === null ? "NULL" : v ? "t" : "f")).join(",")}}`;
}
