// What every answer of a person needs, to a decision or to a question: the run that it is about, who speaks, and words that can be recorded.
// It must never post anything: those who answer do.
import { isWellFormedText, nameBytesMax, utf8Length } from "../../core/names.ts";
import { PawlError } from "../../errors/error.ts";
import { parseDecisionId } from "../../events/open-decisions.ts";
import { jsonValue } from "../../events/payload.ts";
import type { RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";

/** What a server knows of the one who answers. A person for whom a service vouches is a person. */
export function speakerOf({ by, tokenBy }: LocalClientDeps): { readonly kind?: string | undefined; readonly tokenBy?: string | undefined } {
  if (by === undefined) return {};
  const kind = by.onBehalfOf === undefined ? by.kind : "person";
  return { kind: jsonValue(kind), tokenBy: jsonValue(tokenBy) };
}

export async function findRunOfDecision(c: LocalClientDeps, id: string): Promise<RunRow> {
  const at = parseDecisionId(id);
  const row = at === undefined ? undefined : await c.store.run({ runId: at.runId });
  const s = row?.scope;
  const own = s?.tenantId === c.scope.tenantId && s.projectId === c.scope.projectId && s.environmentId === c.scope.environmentId;
  if (row === undefined || !own) throw new PawlError("PAWL4072", `there is no decision ${id}`, { data: { id } });
  return row;
}

export function checkSaid(text: unknown, what: string): string {
  if (typeof text !== "string" || text.trim() === "" || !isWellFormedText(text) || utf8Length(text) > nameBytesMax)
    throw new PawlError("PAWL4011", `an answer needs ${what}: well-formed text of 1 to ${nameBytesMax} bytes`);
  return text;
}
