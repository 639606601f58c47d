// A start by name, checked without the workflow's code before anything is stored: against what engines have published. It finds the version,
// refuses a name that nobody published, an input that does not fit and a missing id, and says what it could not check. The engine
// that runs it checks the input again: JSON Schema cannot say everything that code can.
import type { Creation } from "../../engine/create-run.ts";
import { listPublished, type PublishedWorkflow } from "../../engine/publish/published-workflows.ts";
import { PawlError } from "../../errors/error.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { checkPublished } from "../messages/message-check.ts";
import { newestVersion, servedVersions } from "../../engine/publish/live-engines.ts";
import type { StartRequest } from "../types.ts";
import { withIdentity } from "./start-identity.ts";

export interface CheckedStart {
  readonly base: Creation;
  /** What could not be checked, and why; absent when all of it was. */
  readonly unchecked?: string;
}

export async function checkStart(c: LocalClientDeps, r: StartRequest, base: Creation): Promise<CheckedStart> {
  if (c.store.lacks?.includes("reader") === true) return { base, unchecked: "this store keeps no published workflows" };
  const workflow = base.definition.name;
  const [info, published] = await Promise.all([c.store.info(), listPublished(c.store, c.scope, workflow)]);
  const serving = servedVersions(info, c.scope, workflow);
  const version = r.version ?? newestVersion(published, serving);
  const known = published.find((p) => p.version === version);
  if (version === undefined || (known === undefined && !serving.has(version))) {
    if (r.allowUnknown !== true) throw unknownWorkflow(workflow, r.version, published);
    return { base, unchecked: `no engine has published ${nameOf(workflow, r.version)}` };
  }
  const checked = { ...base, definition: { name: workflow, version } };
  if (known === undefined) return { base: checked, unchecked: `no engine has published what ${nameOf(workflow, version)} takes` };
  if (known.derivesId && r.id === undefined)
    throw new PawlError("PAWL1008", `workflow ${workflow} takes its runs' ids from their input, which only its code can do: send id`, {
      data: { workflow, version, path: "id" },
    });
  const found = checkPublished(known.input, { workflow, version }, "input", r.input);
  if (found instanceof PawlError) throw found;
  const same = known.identity === undefined ? checked : withIdentity(checked, known.identity, r);
  return found === undefined ? { base: same } : { base: same, unchecked: found };
}

function nameOf(workflow: string, version: string | undefined): string {
  return version === undefined ? `workflow ${workflow}` : `version ${version} of workflow ${workflow}`;
}

function unknownWorkflow(workflow: string, version: string | undefined, published: readonly PublishedWorkflow[]): PawlError {
  const versions = published.map((p) => p.version).slice(0, 20);
  const known = versions.length === 0 ? "" : `; published: ${versions.join(", ")}`;
  return new PawlError("PAWL4008", `no engine has published ${nameOf(workflow, version)}${known}`, {
    data: { workflow, ...(version === undefined ? {} : { version }) },
  });
}
