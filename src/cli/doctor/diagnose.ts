// What `pawl doctor` finds out, as data: the store, its engines, the runs that have not ended, and a list of checks. It
// only looks. Runs are read page by page up to a bound, and the diagnosis says so when it stopped there.
import { pendingDecisionIn } from "../../client/pending-decision.ts";
import type { QueueView } from "../../api/types/queues.ts";
import type { Client, RunView, StoreView } from "../../client/types.ts";
import { allEvents } from "../runs/wait-for-end.ts";

export interface DoctorCheck {
  readonly check: string;
  readonly state: "ok" | "warning" | "failed";
  readonly detail: string;
  readonly fix?: string;
}
export interface DecisionNeeded {
  readonly runId: string;
  readonly workflowId: string;
  readonly code: string;
  readonly reason: string;
}
export interface Diagnosis {
  readonly url: string;
  readonly store: StoreView;
  readonly unsettled: { readonly total: number; readonly complete: boolean; readonly byWaiting: Readonly<Record<string, number>> };
  readonly unserved: readonly { readonly workflow: string; readonly runs: number }[];
  readonly decisions: readonly DecisionNeeded[];
  readonly checks: readonly DoctorCheck[];
}

const runsMax = 20_000;
const decisionsMax = 50;
/** How long a word that was sent to oneself may take. */
const hintMs = 500;

/** Runs that have not ended, newest first, up to a bound. */
export async function unsettledRuns(client: Client): Promise<{ runs: RunView[]; complete: boolean }> {
  const runs: RunView[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.list({ status: ["PENDING", "RUNNING", "PAUSED"], limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
    runs.push(...page.runs);
    cursor = page.cursor;
  } while (cursor !== undefined && runs.length < runsMax);
  return { runs, complete: cursor === undefined };
}

export async function diagnose(client: Client, url: string): Promise<Diagnosis> {
  let store = await client.info();
  if (store.settings?.["hints"] === "polled") {
    // This client does not listen yet: listening is tried before it is reported as missing.
    await client.waitForChange(undefined, { timeoutMs: hintMs });
    store = await client.info();
  }
  const { runs, complete } = await unsettledRuns(client);
  const byWaiting = counted(runs, (r) =>
    r.status === "PAUSED" ? "paused" : (r.waiting ?? (r.status === "PENDING" ? "an engine" : "its steps")),
  );
  const served = new Set(store.engines.filter((e) => e.alive).flatMap((e) => e.serves.map((s) => s.workflow)));
  const unserved = Object.entries(counted(runs, (r) => r.workflow))
    .filter(([workflow]) => !served.has(workflow))
    .map(([workflow, n]) => ({ workflow, runs: n }));
  const decisions: DecisionNeeded[] = [];
  for (const r of runs) {
    if (decisions.length >= decisionsMax) break;
    if (r.waiting !== "decision" && r.status !== "PAUSED") continue;
    const need = pendingDecisionIn(r, await allEvents(client, r.runId));
    if (need !== undefined) decisions.push({ runId: r.runId, workflowId: r.workflowId, code: need.page, reason: need.message });
  }
  return {
    url,
    store,
    unsettled: { total: runs.length, complete, byWaiting },
    unserved,
    decisions,
    checks: [...checksOf(store, unserved, decisions), ...queueChecks(await client.queues.list())],
  };
}

function checksOf(store: StoreView, unserved: Diagnosis["unserved"], decisions: readonly DecisionNeeded[]): DoctorCheck[] {
  const checks: DoctorCheck[] = [];
  const add = (check: string, state: DoctorCheck["state"], detail: string, fix?: string): void =>
    void checks.push({ check, state, detail, ...(fix === undefined ? {} : { fix }) });
  const settings = Object.entries(store.settings).map(([k, v]) => `${k}=${v}`);
  if (store.unsafe.length > 0)
    add("settings", "failed", store.unsafe.join(", "), "open the store with durable settings: pawl explain PAWL3003");
  else add("settings", "ok", settings.length === 0 ? "none to check" : settings.join(", "));
  const { clock } = store.settings;
  if (clock !== undefined)
    add(
      "clock",
      "warning",
      clock,
      "correct the machine's clock; the store keeps its own clock, which follows slowly, and at once after a reboot",
    );
  if (store.persistence === "volatile") add("persistence", "warning", "this store loses everything when its process ends");
  add(
    "format",
    "ok",
    `${store.format} (readers from ${store.oldestReader}, writers from ${store.oldestWriter}), incarnation ${store.incarnation}`,
  );
  if (store.identity === store.identityRecorded) add("identity", "ok", store.identity);
  else
    add(
      "identity",
      "failed",
      `${store.identity}, recorded ${store.identityRecorded}: this file was replaced`,
      "if it was restored from a backup: pawl doctor --restored",
    );
  const alive = store.engines.filter((e) => e.alive);
  if (alive.length > 0 || unserved.length === 0) add("engines", "ok", `${alive.length} alive, ${store.engines.length - alive.length} dead`);
  else add("engines", "warning", `none alive, ${store.engines.length} dead`, "start an engine, or pawl run ./file.ts");
  for (const u of unserved)
    add(
      "unserved",
      "warning",
      `${u.runs} run${u.runs === 1 ? "" : "s"} of ${u.workflow}, which no live engine serves`,
      `start an engine with workflow ${u.workflow}`,
    );
  for (const d of decisions)
    add("decision", "failed", `${d.workflowId}: ${d.reason}`, `pawl inspect ${d.workflowId}, pawl explain ${d.code}`);
  return checks;
}

/** Queues on which steps wait that nobody will take: paused, or without a process that can do them. */
function queueChecks(queues: readonly QueueView[]): DoctorCheck[] {
  return queues.flatMap((q): DoctorCheck[] => {
    const steps = `${q.ready} step${q.ready === 1 ? " waits" : "s wait"}`;
    if (q.ready === 0) return [];
    if (q.paused !== undefined) {
      const detail = `${q.name}: ${steps}, and ${q.paused.by} paused it: ${q.paused.reason}`;
      return [{ check: "queue", state: "warning", detail, fix: `pawl queues resume ${q.name} --by <you> --reason <why>` }];
    }
    if (q.unserved.length === 0) return [];
    const detail = `${q.name}: ${steps}, and no live process does ${q.unserved.join(", ")}`;
    return [{ check: "queue", state: "warning", detail, fix: `start a worker that has the task: pawl worker ./file.ts --queue ${q.name}` }];
  });
}

function counted<T>(items: readonly T[], of: (x: T) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const x of items) counts.set(of(x), (counts.get(of(x)) ?? 0) + 1);
  return Object.fromEntries(counts);
}
