// From a question as an author writes it to what the engine asks.
// What is wrong with it is refused before anything is recorded.
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { encode } from "../codec/value.ts";
import { unknownName } from "../errors/unknown-name.ts";
import { durationMs, type Duration } from "../core/duration.ts";
import { defaultLimits } from "../core/limits.ts";
import { checkId, isWellFormedText } from "../core/names.ts";
import type { QuestionData } from "../core/question.ts";
import type { AskSpec } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import { parseWith } from "./schema.ts";
import { toMessageSchema } from "./to-json-schema.ts";

interface UncheckedQuestion {
  readonly schema?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly from?: unknown;
  readonly notBy?: unknown;
  readonly votes?: unknown;
  readonly timeout?: Duration;
}
const members: ReadonlySet<string> = new Set(["schema", "text", "data", "from", "notBy", "votes", "timeout"]);
const textMax = 16_384;
const peopleMax = 1_000;
/** A larger one is left out: the code has it. */
const schemaTextMax = 16_384;

export function askSpec(name: string, given: unknown): AskSpec {
  const wrong = (problem: string): PawlError => new PawlError("PAWL4011", `ctx.ask("${name}"): ${problem}`);
  if (typeof given !== "object" || given === null) throw wrong("needs { schema, text }");
  const q = given as UncheckedQuestion;
  for (const member of Object.keys(q)) if (!members.has(member)) throw wrong(unknownName("option", member, members));
  const { text, votes = 1 } = q;
  if (typeof text !== "string" || text.trim() === "" || text.length > textMax || !isWellFormedText(text))
    throw wrong(`text must be well-formed text of 1 to ${textMax} characters`);
  if (q.schema === undefined) throw wrong("needs a schema, which says what an answer must be");
  if (!Number.isSafeInteger(votes) || (votes as number) < 1 || (votes as number) > peopleMax)
    throw wrong(`votes must be a whole number from 1 to ${peopleMax}`);
  const schema = q.schema as StandardSchemaV1;
  const check = parseWith(schema);
  const from = people(q.from, "from", wrong);
  if (from !== undefined && from.length < (votes as number))
    throw wrong(`${String(votes)} people must answer, and from names ${from.length}`);
  const shown = toMessageSchema(schema)?.schema;
  const question: QuestionData = {
    text,
    ...(q.data === undefined ? {} : { data: JSON.parse(encode(q.data, defaultLimits, "data")) as unknown }),
    ...optional("from", from),
    ...optional("notBy", people(q.notBy, "notBy", wrong)),
    ...(votes === 1 ? {} : { votes: votes as number }),
    ...(shown === undefined || JSON.stringify(shown).length > schemaTextMax ? {} : { schema: shown }),
  };
  return { question, timeoutMs: q.timeout === undefined ? null : durationMs(q.timeout, "timeout"), check };
}

function people(given: unknown, what: string, wrong: (problem: string) => PawlError): readonly string[] | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given) || given.length === 0 || given.length > peopleMax)
    throw wrong(`${what} must be a list of 1 to ${peopleMax} names`);
  return [...new Set(given.map((n) => checkId(n as string, `a name in ${what}`)))];
}

function optional<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}
