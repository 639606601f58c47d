// The contract's files as one value, read for the generator: the tables, the schemas, and the lists that have a name. A schema's
// keyword that the generator does not know is an error and never passed over, or a type would say less than its schema does.

/** @typedef {Readonly<Record<string, any>>} Schema */
/** @typedef {{ from: readonly string[], to: string }} RunRule @typedef {{ from: string, to: string, while: readonly string[] }} StepRule */
/**
 * @typedef {{
 *   version: string,
 *   runEventTypes: readonly string[],
 *   stepEventTypes: readonly string[],
 *   settled: readonly string[],
 *   run: Readonly<Record<string, RunRule>>,
 *   step: Readonly<Record<string, StepRule>>,
 * }} Tables
 */
/** @typedef {{ tables: Tables, schemas: ReadonlyMap<string, Schema>, lists: ReadonlyMap<string, readonly string[]> }} Contract */

export const folder = "contract/schema";
const schemaNames = ["RunEventWrite", "RunEventRecord", "InvalidTransitionAlert", "EvidenceManifest"];
/** What these forbid beyond its type, no TypeScript says; the page does. */
const narrowing = ["pattern", "format", "minLength", "minimum", "maximum", "not"];
const shaping = ["type", "const", "enum", "required", "properties", "additionalProperties", "items", "allOf", "$ref", "if", "then", "else"];
const telling = ["$schema", "$id", "$comment", "title", "description"];
const known = new Set([...narrowing, ...shaping, ...telling]);

/** @param {Schema} schema @param {string} place */
function checkKeywords(schema, place) {
  for (const [word, value] of Object.entries(schema)) {
    if (!known.has(word)) throw new Error(`${place}: the generator does not know the keyword ${word}`);
    if (word === "properties") for (const [name, of] of Object.entries(value)) checkKeywords(of, `${place}/${name}`);
    if (word === "items" || word === "additionalProperties") checkKeywords(value, `${place}/${word}`);
  }
}

/**
 * @param {(path: string) => string} read
 * @returns {Contract}
 */
export function readContract(read) {
  /** @param {string} file */
  const json = (file) => JSON.parse(read(`${folder}/${file}`));
  /** @type {Tables} */
  const tables = json("transitions.json");
  const schemas = new Map(schemaNames.map((name) => [name, json(`${name}.schema.json`)]));
  for (const [name, schema] of schemas) checkKeywords(schema, name);
  const steps = Object.values(tables.step);
  return {
    tables,
    schemas,
    lists: new Map([
      ["RunEventType", tables.runEventTypes],
      ["StepEventType", tables.stepEventTypes],
      ["RunStatus", [...new Set(Object.values(tables.run).map((r) => r.to))]],
      ["StepStatus", [...new Set([...steps.map((r) => r.from), ...steps.map((r) => r.to)])]],
    ]),
  };
}
