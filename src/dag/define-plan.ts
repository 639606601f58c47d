// A checked plan becomes a definition like that of any workflow: the engine, clients and the command line cannot tell the difference. Its
// version is its graph's digest unless it has one, so an edited graph is never taken for the old one (K20).
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { canonicalJson } from "../codec/canonical.ts";
import { durationMs, type Duration } from "../core/duration.ts";
import { checkName } from "../core/names.ts";
import { checkPlan, type PlanData } from "../core/plan-data.ts";
import type { MessageSchema, Parse, PlanIdentity, PlanStaleness, TemplateFacts } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { registerDefinition } from "../workflow/registry.ts";
import { parseWith } from "../workflow/schema.ts";
import { anyValue, toMessageSchema } from "../workflow/to-json-schema.ts";
import type { BuiltPlan } from "./built-node.ts";
import { planStyle } from "./resume.ts";
import { workerTasks } from "./queued-node.ts";
import { walkPlan } from "./walker.ts";

/** What is said of a DAG as a whole. */
export interface PlanDef {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly version?: string | undefined;
  readonly input?: S | undefined;
  readonly timeout?: Duration | undefined;
  readonly id?: ((input: never) => string) | undefined;
  readonly identity?: PlanIdentity | undefined;
  readonly stale?: PlanStaleness | undefined;
  /** Of a template: how its input is checked, as code and as data, and what it is registered as. */
  readonly parse?: Parse;
  readonly describe?: MessageSchema | undefined;
  readonly digest?: string;
  readonly template?: TemplateFacts;
}

/** How much of the digest names a version. */
const versionDigits = 12;

export function definePlan(
  def: PlanDef,
  built: BuiltPlan,
  signals: ReadonlyMap<string, S | undefined>,
): { readonly name: string; readonly version: string } {
  const nodes = built.nodes.map((n) => n.plan);
  checkPlan(nodes);
  const digest = def.digest ?? sha256Hex(canonicalJson(JSON.parse(JSON.stringify({ nodes, result: built.result }))));
  const plan: PlanData = { digest, nodes, result: built.result };
  const name = def.namespace === undefined ? def.name : `${checkNamespace(def.namespace)}/${def.name}`;
  const version = checkName(def.version ?? digest.slice(0, versionDigits), "the DAG's version");
  const wf = Object.freeze({ name: checkName(name, "the DAG's name"), version });
  const { id } = def;
  registerDefinition(wf, {
    name,
    version,
    timeoutMs: def.timeout === undefined ? null : durationMs(def.timeout, "timeout"),
    input: def.parse ?? parseWith(def.input, `input of dag ${def.name}`),
    signals: new Map([...signals].map(([n, s]) => [n, parseWith(s)])),
    updates: new Map(),
    views: new Map(),
    describe: () => ({
      input: def.describe ?? (def.input === undefined ? anyValue : toMessageSchema(def.input)),
      signals: new Map([...signals].map(([n, s]) => [n, s === undefined ? anyValue : toMessageSchema(s)])),
      updates: new Map(),
      views: new Map(),
      derivesId: id !== undefined,
    }),
    idOf: id === undefined ? null : (input) => id(input as never),
    plan,
    tasks: () => workerTasks(name, version, built.nodes),
    ...(def.identity === undefined ? {} : { identity: def.identity }),
    ...(def.stale === undefined ? {} : { stale: def.stale }),
    ...(def.template === undefined ? {} : { template: def.template }),
    code: (calls, input) => walkPlan(built, calls, input),
    style: planStyle(built, digest),
  });
  return wf;
}

/** The first slash of a name ends the namespace. */
function checkNamespace(namespace: unknown): string {
  const checked = checkName(namespace, "the namespace");
  if (checked.includes("/")) throw new PawlError("PAWL1001", "a namespace must not contain '/'");
  return checked;
}
