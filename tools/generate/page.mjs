// The contract as a page for people: which event may happen when, and every member of every file with what it may hold. All of
// it is read from the files; the words between the tables are here. It must never say what the files do not.
import { folder } from "./contract.mjs";

/** @typedef {import("./contract.mjs").Contract} Contract @typedef {import("./contract.mjs").Schema} Schema */

/** A pattern is for programs; these are its words. One that is not here is shown as it is. */
const patterns = new Map([
  ["^[^|\\u0000\\uD800-\\uDFFF]+$", "text, not empty, without `|`, NUL and lone surrogates"],
  ["^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$", "a UUID v4"],
  ["^[0-9a-f]{64}$", "64 hex digits, lower case"],
  ["^[A-Za-z0-9+/]+=*$", "base64"],
  ["^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$", "a time, RFC 3339 in UTC with milliseconds"],
  ["^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|\\+00:00)$", "a time, RFC 3339 in UTC"],
]);

/** @param {Contract} contract */
export function pageOf({ tables, schemas }) {
  const states = (/** @type {readonly string[]} */ of) => of.join(", ");
  const run = Object.entries(tables.run).map(([type, r]) => [`\`${type}\``, states(r.from), r.to]);
  const step = Object.entries(tables.step).map(([type, r]) => [`\`${type}\``, r.from, r.to, states(r.while)]);
  return `# The run-event contract, member by member

Version ${tables.version}. This page is made from the files in [\`${folder}\`](../${folder}/README.md) by \`npm run generate\`, as the types of
\`RunEventWrite\`, \`RunEventRecord\` and \`InvalidTransitionAlert\` in the package are: change a file, and make both again. What the
words mean, and which changes are breaking, is said [beside the files](../${folder}/README.md).

## Which event may happen when

\`none\` is a run without events. ${tables.settled.join(", ")} are settled: nothing follows them.

${table(["event", "from", "to"], run)}

A step's event, by the state of the step's latest attempt and of the run:

${table(["event", "from", "to", "while the run is"], step)}

Any other type is unknown: allowed in a run that has begun and not ended, and without effect on its state.
${[...schemas].map(([name, schema]) => sectionOf(name, schema)).join("")}`;
}

/** @param {string} name @param {Schema} schema */
function sectionOf(name, schema) {
  const bases = (schema["allOf"] ?? []).map((/** @type {Schema} */ s) => `\`${s["$ref"].replace(/\.schema\.json$/, "")}\``);
  const based = bases.length === 0 ? "" : `All of ${bases.join(" and ")}, and:\n\n`;
  const rows = rowsOf("", schema);
  const comment = schema["$comment"] === undefined ? "" : `\n${schema["$comment"]}\n`;
  return `
## ${name}

[\`${name}.schema.json\`](../${folder}/${name}.schema.json). ${schema["description"]}

${based}${table(["member", "", "what it holds"], rows)}
${comment}`;
}

/** @param {string} place @param {Schema} schema @returns {string[][]} */
function rowsOf(place, schema) {
  const required = new Set(schema["required"] ?? []);
  return Object.entries(/** @type {Record<string, Schema>} */ (schema["properties"])).flatMap(([name, of]) => {
    const path = `${place}${name}`;
    const inner = of["type"] === "array" ? of["items"] : of;
    const about = [capital(kindOf(of)), of["description"]].filter((t) => t !== undefined && t !== "").join(". ");
    const row = [`\`${path}\``, required.has(name) ? "required" : "", about.replaceAll("|", "\\|").replace(/\.?$/, ".")];
    return [row, ...(inner["properties"] === undefined ? [] : rowsOf(`${path}${of["type"] === "array" ? "[]" : ""}.`, inner))];
  });
}

/** @param {Schema} schema @returns {string} */
function kindOf(schema) {
  const but = schema["not"]?.const === undefined ? "" : `, but not \`${schema["not"].const}\``;
  if ("const" in schema) return `always \`${schema["const"]}\``;
  if (schema["enum"] !== undefined) return `one of ${schema["enum"].map((/** @type {string} */ v) => `\`${v}\``).join(", ")}`;
  if (schema["pattern"] !== undefined) return `${patterns.get(schema["pattern"]) ?? `text that matches \`${schema["pattern"]}\``}${but}`;
  if (Array.isArray(schema["type"])) return schema["type"].map((type) => kindOf({ ...schema, type })).join(" or ");
  switch (schema["type"]) {
    case "string":
      return schema["minLength"] === undefined ? "text" : "text, not empty";
    case "integer":
      return `a whole number from ${schema["minimum"]}`;
    case "array":
      return `a list; each: ${kindOf(schema["items"])}`;
    case "object":
      return schema["properties"] === undefined ? `an object; each value: ${kindOf(schema["additionalProperties"])}` : "an object";
    default:
      return schema["type"] ?? "any JSON value";
  }
}

/** @param {string} text */
const capital = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((r) => `| ${r.join(" | ")} |`).join("\n");
}
