// The contract as TypeScript: its lists and tables as values, its schemas as types. It must never add to what the files say,
// but for one thing that JSON Schema cannot tell a compiler: an `eventType` is a known type or any other text (D-087).

/** @typedef {import("./contract.mjs").Contract} Contract @typedef {import("./contract.mjs").Schema} Schema */

const header = `// The run-event contract as types and tables, made from contract/schema by \`npm run generate\`. It must never be edited by hand:
// change the contract's files, and make it again. \`npm run tidy\` compares.
`;

/** @param {unknown} value */
const literal = (value) => JSON.stringify(value);
/** @param {string} text */
const note = (text) => {
  const lines = text.match(/.{1,120}(?= |$)/g) ?? [];
  return lines.length < 2 ? `/** ${text} */\n` : `/**\n${lines.map((line) => ` * ${line.trim()}\n`).join("")} */\n`;
};

/** @param {Contract} contract */
export function typesOf(contract) {
  const { tables, schemas, lists } = contract;
  const list = (/** @type {string} */ name) => `[${(lists.get(name) ?? []).map(literal).join(", ")}] as const`;
  const words = `
export const contractVersion = ${literal(tables.version)};
export const runEventTypes = ${list("RunEventType")};
export const stepEventTypes = ${list("StepEventType")};
export const runStatuses = ${list("RunStatus")};
export type RunEventType = (typeof runEventTypes)[number];
export type StepEventType = (typeof stepEventTypes)[number];
export type KnownEventType = RunEventType | StepEventType;
/** The known union plus open string (D-087); \`pawl.*\` are Pawl's own, and never change derived state (K21). */
export type EventType = KnownEventType | (string & {});
export type RunStatus = (typeof runStatuses)[number];
export type StepStatus = ${union(lists.get("StepStatus") ?? [])};

export function isSettled(s: RunStatus): boolean {
  return ${tables.settled.map((s) => `s === ${literal(s)}`).join(" || ")};
}
`;
  const rules = `
export interface RunRule {
  readonly from: readonly (RunStatus | "none")[];
  readonly to: RunStatus;
}
export interface StepRule {
  readonly from: StepStatus;
  readonly to: StepStatus;
  /** The statuses of the run in which it may happen. */
  readonly while: readonly RunStatus[];
}
export const runTable: Readonly<Record<string, RunRule>> = ${tableOf(tables.run)};
export const stepTable: Readonly<Record<string, StepRule>> = ${tableOf(tables.step)};
`;
  const types = [...schemas].map(([name, schema]) => `\n${note(schema["description"])}${declaration(name, schema, contract)}`);
  return `${header}${words}${rules}${types.join("")}`;
}

/** @param {Readonly<Record<string, object>>} rules */
function tableOf(rules) {
  const row = (/** @type {object} */ rule) =>
    Object.entries(rule)
      .map(([name, value]) => `${name}: ${literal(value)}`)
      .join(", ");
  return `{\n${Object.entries(rules)
    .map(([type, rule]) => `  ${type}: { ${row(rule)} },\n`)
    .join("")}}`;
}

/** @param {readonly unknown[]} values */
const union = (values) => values.map(literal).join(" | ");

/** @param {string} name @param {Schema} schema @param {Contract} contract */
function declaration(name, schema, contract) {
  const parts = (schema["allOf"] ?? []).map((/** @type {Schema} */ s) => typeOf(s, contract));
  const choice = choiceOf(schema, contract);
  if (parts.length === 0 && choice === null) return `export interface ${name} ${membersOf(schema, contract)}\n`;
  const own = membersOf(schema, contract, choice?.members);
  return `export type ${name} = ${[...parts, own, ...(choice === null ? [] : [`(${choice.text})`])].join(" & ")};\n`;
}

/**
 * `if` a member is one of a list, `then` another is required, `else` it is not allowed: a union of the two.
 * @param {Schema} schema @param {Contract} contract
 */
function choiceOf(schema, contract) {
  if (schema["if"] === undefined) return null;
  const [[by, of] = ["", {}], more] = Object.entries(/** @type {Record<string, Schema>} */ (schema["if"].properties));
  const [member, second] = schema["then"].required;
  const asExpected = { properties: { [by]: { enum: of["enum"] } } };
  const same = JSON.stringify(schema["if"]) === JSON.stringify(asExpected) && schema["else"].not.required.join() === member;
  if (!same || more !== undefined || second !== undefined) throw new Error("the generator knows no such if, then and else");
  const type = typeOf(schema["properties"][member], contract);
  const listed = typeOf(of, contract);
  const rest = `Exclude<${memberType(by, schema["properties"][by], contract)}, ${listed}>`;
  return {
    members: [by, member],
    text: `{ readonly ${by}: ${listed}; readonly ${member}: ${type} } | { readonly ${by}: ${rest}; readonly ${member}?: never }`,
  };
}

/** @param {Schema} schema @param {Contract} contract @param {readonly string[]} [but] */
function membersOf(schema, contract, but = []) {
  const required = new Set(schema["required"] ?? []);
  const members = Object.entries(/** @type {Record<string, Schema>} */ (schema["properties"])).filter(([name]) => !but.includes(name));
  const lines = members.map(([name, of]) => {
    const about = of["description"] === undefined ? "" : note(of["description"]);
    return `${about}readonly ${name}${required.has(name) ? "" : "?"}: ${memberType(name, of, contract)};\n`;
  });
  return `{\n${lines.join("")}}`;
}

/** @param {string} name @param {Schema} schema @param {Contract} contract */
const memberType = (name, schema, contract) => (name === "eventType" ? "EventType" : typeOf(schema, contract));

/** @param {Schema} schema @param {Contract} contract @returns {string} */
function typeOf(schema, contract) {
  if (schema["$ref"] !== undefined) return schema["$ref"].replace(/\.schema\.json$/, "");
  if ("const" in schema) return literal(schema["const"]);
  if (schema["enum"] !== undefined) return namedList(schema["enum"], contract) ?? union(schema["enum"]);
  if (Array.isArray(schema["type"])) return schema["type"].map((type) => typeOf({ ...schema, type }, contract)).join(" | ");
  switch (schema["type"]) {
    case "null":
    case "string":
    case "boolean":
      return schema["type"];
    case "integer":
      return "number";
    case "array":
      return `readonly (${typeOf(schema["items"], contract)})[]`;
    case "object":
      if (schema["properties"] !== undefined) return membersOf(schema, contract);
      return `Readonly<Record<string, ${typeOf(schema["additionalProperties"], contract)}>>`;
    case undefined:
      return "unknown";
    default:
      throw new Error(`the generator knows no type ${schema["type"]}`);
  }
}

/** @param {readonly unknown[]} values @param {Contract} contract */
function namedList(values, { lists }) {
  return [...lists].find(([, of]) => JSON.stringify(of) === JSON.stringify(values))?.[0];
}
