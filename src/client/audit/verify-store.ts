// The whole store, run by run in the order of ids, a page at a time: memory does not grow with the store. It says how far it
// is, can keep its place in the store and continue from there, and runs that began meanwhile come at the end, since ids rise
// with time. It changes nothing but its own place, and that only when asked to.
import type { Scope } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { scopeKey } from "../../store/keys.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { Finding } from "./finding.ts";
import { auditRun, readableRow, type RunAudit } from "./audit-run.ts";
import type { OutsideEvidence } from "./run-seals.ts";
import { rebuiltSnapshots } from "./snapshot-check.ts";
import { StoreSeals, type SealReport } from "./store-seals.ts";

export interface VerifyStoreOptions {
  /** Only this run. */
  readonly run?: string;
  /** The runs of all tenants, not only of this client's: for anyone who operates the store. */
  readonly everyTenant?: boolean;
  /** Only runs with a Commit at or after this time of the store's clock, RFC 3339 (D-040). */
  readonly since?: string;
  /** Keep the place in the store, and continue from where the last such check stopped. */
  readonly resume?: boolean;
  /** Called now and then, and at the end. */
  readonly progress?: (p: VerifyProgress) => void;
  /** Called with each finding at once. All of them are also in the report, up to `findingsMax`. */
  readonly finding?: (f: Finding) => void;
  /** Called with each run whose snapshot is not there and can be made again from its log: no finding, a cache may be empty. */
  readonly rebuildable?: (runId: string) => void;
  /** How many findings the report holds; 1000 by default. */
  readonly findingsMax?: number;
  /** Stops it between two runs; with `resume` the next one continues from there. */
  readonly signal?: AbortSignal;
  /** Public keys, PEM (`pawl keys`): seals are demanded, and runs that were taken away are looked for (docs/sealing.md). */
  readonly key?: string;
  /** The lines of a witness file: every head in it must be in the store. */
  readonly witness?: string;
}
export interface VerifyProgress {
  readonly runs: number;
  readonly events: number;
  /** What there was to do when it began. */
  readonly runsTotal: number;
  readonly eventsTotal: number;
  readonly findings: number;
}
export interface StoreVerification {
  readonly ok: boolean;
  readonly runs: number;
  readonly events: number;
  /** Runs that continued so fast that only their logs were checked. */
  readonly busy: readonly string[];
  readonly findings: readonly Finding[];
  /** Findings beyond those that are listed. */
  readonly more: number;
  /** False: it was stopped before the end. */
  readonly complete: boolean;
  /** Present when it continued from an earlier check: the run after which it began. */
  readonly resumedAfter?: string;
  /** What the seals say; absent without a key. */
  readonly seals?: SealReport;
  /** What this check cannot show, in words. */
  readonly limits: readonly string[];
}

const pageSize = 200;
/** So many runs are read at a time: a server answers several as fast as one. */
const atOnce = 4;
const progressCollection = "pawl.doctor";

interface VerifyProgressMark {
  readonly after: string;
  readonly runs: number;
  readonly events: number;
  readonly findings: readonly Finding[];
  readonly more: number;
}

/** `pause` gives way to whatever else this process does: a store that answers at once would starve an engine beside it. */
export async function verifyStore(
  store: FullStore,
  scope: Scope,
  o: VerifyStoreOptions = {},
  pause: () => Promise<void> = async () => {},
): Promise<StoreVerification> {
  const vouchers = new StoreSeals(store, o);
  const tally = new Tally(o, vouchers);
  const sinceMs = o.since === undefined ? 0 : Date.parse(o.since);
  if (Number.isNaN(sinceMs)) throw new PawlError("PAWL4011", "since: not a time as in RFC 3339");
  if (o.resume === true && (o.key ?? o.witness) !== undefined)
    throw new PawlError("PAWL4011", "resume does not go with key or witness: what is missing shows only in one whole check");
  await vouchers.begin();
  const readersOf = consumersOf(store);
  if (o.run !== undefined) {
    tally.add(o.run, await auditRun(store, o.run, await readersOf(scope), vouchers));
    return tally.report(true, undefined);
  }
  const key = o.everyTenant === true ? "verify" : `verify/${scopeKey(scope)}`;
  const from = o.resume === true ? await readProgressMark(store, key) : undefined;
  if (from !== undefined) tally.from(from);
  const size = await store.audit.size(from?.after ?? "");
  tally.total = { runs: tally.runs + size.runs, events: tally.events + size.events };
  let after = from?.after ?? "";
  let stopped = false;
  for (;;) {
    const ids = await store.audit.runIds({ after, limit: pageSize });
    stopped = await auditPage(
      store,
      { scope, all: o.everyTenant === true, sinceMs, readersOf, signal: o.signal, pause, outside: vouchers },
      ids,
      tally,
    );
    if (stopped) break;
    after = ids.at(-1) ?? after;
    if (o.resume === true)
      await store.kv.put([{ collection: progressCollection, key, value: ids.length < pageSize ? null : tally.progressMark(after) }]);
    tally.reportProgress();
    if (ids.length < pageSize) break;
  }
  if (!stopped && o.everyTenant === true && o.since === undefined) tally.addFindings(await vouchers.finish());
  return tally.report(!stopped, from?.after);
}

/** The consumers of a tenant, asked for once. */
function consumersOf(store: FullStore): (scope: Scope) => Promise<readonly string[]> {
  const known = new Map<string, Promise<readonly string[]>>();
  return (scope) => {
    const key = scopeKey(scope);
    let names = known.get(key);
    if (names === undefined) known.set(key, (names = store.feed.consumers(scope).then((list) => list.map((c) => c.name))));
    return names;
  };
}

interface AuditScope {
  readonly scope: Scope;
  readonly all: boolean;
  readonly sinceMs: number;
  readonly readersOf: (scope: Scope) => Promise<readonly string[]>;
  readonly signal: AbortSignal | undefined;
  readonly pause: () => Promise<void>;
  readonly outside: OutsideEvidence;
}

/** True when it was stopped. */
async function auditPage(store: FullStore, want: AuditScope, ids: readonly string[], tally: Tally): Promise<boolean> {
  const wanted = scopeKey(want.scope);
  for (let i = 0; i < ids.length; i += atOnce) {
    await want.pause();
    if (want.signal?.aborted === true) return true;
    const some = ids.slice(i, i + atOnce);
    const audits = await Promise.all(
      some.map(async (runId): Promise<RunAudit | null> => {
        const row = (await readableRow(store, runId)) ?? undefined;
        // I11: another tenant's runs are not this client's affair; rows without any run are everybody's.
        if (row !== undefined && !want.all && scopeKey(row.scope) !== wanted) return null;
        if (row !== undefined && row.persistedAt < want.sinceMs) return null;
        return auditRun(store, runId, await want.readersOf(row?.scope ?? want.scope), want.outside);
      }),
    );
    audits.forEach((a, n) => {
      if (a !== null) tally.add(some[n] ?? "", a);
    });
  }
  return false;
}

async function readProgressMark(store: FullStore, key: string): Promise<VerifyProgressMark | undefined> {
  const [row] = await store.kv.get(progressCollection, [key]);
  return row === undefined ? undefined : (JSON.parse(row.value) as VerifyProgressMark);
}

class Tally {
  runs = 0;
  events = 0;
  total: { readonly runs: number; readonly events: number } = { runs: 1, events: 0 };
  readonly #o: VerifyStoreOptions;
  readonly #vouchers: StoreSeals;
  readonly #max: number;
  readonly #busy: string[] = [];
  readonly #findings: Finding[] = [];
  #more = 0;
  #reportedAt = 0;

  constructor(o: VerifyStoreOptions, vouchers: StoreSeals) {
    this.#o = o;
    this.#vouchers = vouchers;
    this.#max = o.findingsMax ?? 1_000;
  }
  from(p: VerifyProgressMark): void {
    this.runs = p.runs;
    this.events = p.events;
    this.#findings.push(...p.findings);
    this.#more = p.more;
  }
  progressMark(after: string): string {
    // What was found so far stays known: a check that is resumed must not forget it.
    const findings = this.#findings.slice(0, 100);
    const place: VerifyProgressMark = {
      after,
      runs: this.runs,
      events: this.events,
      findings,
      more: this.#more + this.#findings.length - findings.length,
    };
    return JSON.stringify(place);
  }
  add(runId: string, a: RunAudit): void {
    this.runs++;
    this.events += a.events;
    if (a.busy) this.#busy.push(runId);
    this.#vouchers.addRun(runId, a.sealing);
    this.addFindings(a.findings);
    const snapshots = a.reading?.snapshots ?? null;
    if (snapshots !== null && rebuiltSnapshots(snapshots, a.findings) !== null) this.#o.rebuildable?.(runId);
    if (this.events - this.#reportedAt >= 5_000) this.reportProgress();
  }
  addFindings(findings: readonly Finding[]): void {
    for (const f of findings) {
      this.#o.finding?.(f);
      if (this.#findings.length < this.#max) this.#findings.push(f);
      else this.#more++;
    }
  }
  reportProgress(): void {
    this.#reportedAt = this.events;
    const { runs, events, total } = this;
    this.#o.progress?.({ runs, events, runsTotal: total.runs, eventsTotal: total.events, findings: this.#findings.length + this.#more });
  }
  report(complete: boolean, resumedAfter: string | undefined): StoreVerification {
    this.reportProgress();
    const { runs, events } = this;
    const ok = this.#findings.length + this.#more === 0;
    const { report: seals, limits } = this.#vouchers;
    const rest = { ...(resumedAfter === undefined ? {} : { resumedAfter }), ...(seals === null ? {} : { seals }), limits };
    return { ok, runs, events, busy: this.#busy, findings: this.#findings, more: this.#more, complete, ...rest };
  }
}
