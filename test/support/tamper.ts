// Rows changed or taken away past the store, as a careless hand or a broken disk would: one field of one row, named as the port
// names it, on every store. For tests that what was done is found, named and located; nothing in the package imports it.
import type { MemoryState } from "../../src/store/memory/state.ts";

export type TamperedTable = "runs" | "events" | "effects" | "views" | "inbox" | "accepted" | "checkpoints";

export interface Tampering {
  readonly table: TamperedTable;
  readonly runId: string;
  /** Its place within the run: runSeq, seq, the number of the message, the step, or the name of the view. */
  readonly at?: number | string;
  /** Null takes the row away. */
  readonly set: Readonly<Record<string, string | number | boolean | null>> | null;
}

const places: Readonly<Record<TamperedTable, string>> = {
  runs: "run_id",
  events: "run_seq",
  effects: "seq",
  views: "name",
  inbox: "inbox_id",
  accepted: "inbox_id",
  checkpoints: "step_id",
};

type Dialect = "sqlite" | "postgres" | "mysql";

export function sqlTamper(dialect: Dialect, named: (table: string) => string, exec: (text: string) => Promise<void>) {
  const column = (field: string, table: TamperedTable): string =>
    field === "key" && table === "checkpoints"
      ? "idempotency_key"
      : dialect === "mysql" && field === "key"
        ? "effect_key"
        : field.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  const value = (v: string | number | boolean | null): string => {
    if (v === null) return "null";
    if (typeof v === "boolean") return dialect === "postgres" ? String(v) : v ? "1" : "0";
    if (typeof v === "number") return String(v);
    return `'${(dialect === "mysql" ? v.replaceAll("\\", "\\\\") : v).replaceAll("'", "''")}'`;
  };
  return async (t: Tampering): Promise<void> => {
    const where = [`run_id = ${value(t.runId)}`, ...(t.at === undefined ? [] : [`${places[t.table]} = ${value(t.at)}`])].join(" and ");
    if (t.set === null) return exec(`delete from ${named(t.table)} where ${where}`);
    const sets = Object.entries(t.set).map(([field, v]) => `${column(field, t.table)} = ${value(v)}`);
    return exec(`update ${named(t.table)} set ${sets.join(", ")} where ${where}`);
  };
}

export function memoryTamper(s: MemoryState) {
  return async ({ table, runId, at, set }: Tampering): Promise<void> => {
    switch (table) {
      case "runs":
        if (set === null) {
          s.runs.delete(runId);
          if (s.logs.get(runId)?.events.length === 0) s.logs.delete(runId); // a table has no empty logs
          if (s.effects.get(runId)?.size === 0) s.effects.delete(runId);
        } else s.runs.set(runId, { ...s.runs.get(runId)!, ...set });
        return;
      case "events": {
        const { events } = s.logs.get(runId)!;
        const i = events.findIndex((e) => e.runSeq === at);
        if (set === null) events.splice(i, 1);
        else events[i] = { ...events[i]!, ...set };
        return;
      }
      case "effects": {
        const ledger = s.effects.get(runId)!;
        for (const seq of at === undefined ? [...ledger.keys()] : [Number(at)]) {
          const record = ledger.get(seq)!;
          ledger.delete(seq);
          if (set !== null) ledger.set(Number(set["seq"] ?? seq), { ...record, ...set });
        }
        return;
      }
      case "views":
        if (set === null) s.views.get(runId)!.delete(String(at));
        else s.views.get(runId)!.set(String(at), String(set["value"]));
        return;
      case "inbox": {
        const item = s.inbox.get(Number(at))!;
        s.inbox.set(Number(at), { ...item, row: { ...item.row, ...set } });
        return;
      }
      case "accepted":
        for (const [key, record] of s.accepted)
          if (record.inboxId === at && set === null) s.accepted.delete(key);
          else if (record.inboxId === at) s.accepted.set(key, { ...record, ...set });
        return;
      case "checkpoints":
        s.checkpoints.set(
          runId,
          (s.checkpoints.get(runId) ?? []).map((c) => (c.stepId === at ? { ...c, ...set } : c)),
        );
    }
  };
}
