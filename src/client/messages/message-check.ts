// Signals and updates, checked before they are accepted: by the workflow's code where this process has it, else by what engines
// have published of the run's own version. A name or a payload that the workflow does not take is refused, and nothing is stored.
// What cannot be checked here is accepted, and the answer says so; the run's owner checks every message again.
import { checkJson } from "../../core/json-schema.ts";
import { isSettled, type Scope } from "../../core/model.ts";
import type { Definition, MessageSchema, WorkflowDescription } from "../../engine/definition.ts";
import { readPublished } from "../../engine/publish/published-workflows.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RunRow } from "../../store/port.ts";

export interface MessageToCheck {
  readonly kind: "signal" | "update";
  readonly name: string;
  readonly payload: unknown;
}
type CheckedRun = Pick<RunRow, "workflow" | "version">;

/** `code`: the workflows that this process has. `known`: what was read once is remembered there. */
export class MessageCheck {
  readonly #store: FullStore;
  readonly #scope: Scope;
  readonly #code: (run: CheckedRun) => Definition | undefined;
  readonly #known: Map<string, WorkflowDescription>;

  constructor(store: FullStore, scope: Scope, code: (run: CheckedRun) => Definition | undefined, known: Map<string, WorkflowDescription>) {
    this.#known = known;
    this.#store = store;
    this.#scope = scope;
    this.#code = code;
  }

  /** Refuses what the run's workflow does not take. What could not be checked, and why; undefined when all of it was. */
  async check(run: RunRow | undefined, m: MessageToCheck): Promise<string | undefined> {
    try {
      return await this.#checked(run, m);
    } catch (e) {
      throw m.kind === "signal" && isPawlError(e, "PAWL1008") ? invalidPayload(e) : e;
    }
  }

  async #checked(run: RunRow | undefined, m: MessageToCheck): Promise<string | undefined> {
    // An unknown run, an ended one and one that producers write are refused, or answered, by the store.
    if (run === undefined || isSettled(run.status) || run.origin !== "engine") return undefined;
    const code = this.#code(run);
    if (code !== undefined) return checkByCode(code, m);
    const id = JSON.stringify([run.workflow, run.version]);
    const remembered = this.#known.get(id);
    if (remembered !== undefined) {
      const found = checkBySchema(remembered, run, m);
      if (!(found instanceof PawlError)) return found;
    }
    // Nothing is refused by what was read a while ago: an engine may have published more since.
    const published = await readPublished(this.#store, this.#scope, { name: run.workflow, version: run.version });
    if (published === undefined) return `no engine has said yet what version ${run.version} of workflow ${run.workflow} takes`;
    this.#known.set(id, published);
    const found = checkBySchema(published, run, m);
    if (found instanceof PawlError) throw found;
    return found;
  }
}

/** With the contract's name for it (P-26). */
function invalidPayload({ page, message, data, errors, cause }: PawlError): PawlError {
  return new PawlError(page, message, { cause, errors, data: { ...data, code: "SIGNAL_INVALID_PAYLOAD" } });
}

async function checkByCode(d: Definition, m: MessageToCheck): Promise<undefined> {
  const members = m.kind === "signal" ? d.signals : d.updates;
  const parse = members.get(m.name);
  if (parse === undefined) throw undeclaredMessage({ workflow: d.name, version: d.version }, m, members.keys());
  await parse(m.payload, `${m.kind} ${m.name}`);
}

function checkBySchema(published: WorkflowDescription, run: CheckedRun, m: MessageToCheck): PawlError | string | undefined {
  const messages = m.kind === "signal" ? published.signals : published.updates;
  const known = messages.get(m.name);
  if (known === undefined) return undeclaredMessage(run, m, messages.keys());
  return checkPublished(known, run, `${m.kind} ${m.name}`, m.payload);
}

/** Refuses a value that does not fit what was published; else what of it could not be checked, undefined when all of it was. */
export function checkPublished(known: MessageSchema | null, of: CheckedRun, what: string, value: unknown): PawlError | string | undefined {
  if (known === null) return `${what}: only the workflow's code can check it`;
  const { problem, partly } =
    value === undefined
      ? { partly: !acceptsAnything(known), ...(known.required ? { problem: { path: "", message: "it is missing" } } : {}) }
      : checkJson(known.schema, value);
  if (problem !== undefined)
    return new PawlError("PAWL1008", `${what}${problem.path}: ${problem.message}`, {
      data: { workflow: of.workflow, version: of.version, path: problem.path.replace(/^\./, "") },
    });
  return known.whole && !partly ? undefined : `parts of ${what}: only the workflow's code can check them`;
}

function acceptsAnything({ schema, whole }: MessageSchema): boolean {
  return whole && typeof schema === "object" && Object.keys(schema).length === 0;
}

function undeclaredMessage(run: CheckedRun, m: MessageToCheck, names: Iterable<string>): PawlError {
  const known = [...names].sort();
  const takes = known.length === 0 ? `it takes no ${m.kind}s` : `it takes ${known.slice(0, 20).join(", ")}`;
  return new PawlError("PAWL1016", `${m.kind} ${m.name} is not declared by workflow ${run.workflow} (version ${run.version}): ${takes}`, {
    data: { workflow: run.workflow, version: run.version, [m.kind]: m.name },
  });
}
