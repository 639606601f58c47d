// Why a run is not further than it is, in words for a person, with what somebody can do about it. Pure: it looks at a run's row, its last
// events and who is alive, and asks nobody. It must never say that a run waits for something when an engine is missing.
import type { Because } from "../../api/types/operate.ts";
import { isSettled, type Waiting } from "../../core/model.ts";
import { toTimeText } from "../../events/envelope.ts";
import type { RunRow } from "../../store/port.ts";
import type { OpenWait, TailFacts } from "./log-tail.ts";

export interface BecauseFacts {
  readonly row: RunRow;
  readonly nowMs: number;
  /** A live engine has code of this workflow. */
  readonly served: boolean;
  /** Each live engine that has it was asked to drain. */
  readonly draining?: boolean;
  /** The engine that owns the run is alive. */
  readonly ownerAlive: boolean;
  /** How long the lease of that engine still lasts: one that was killed counts as alive until then. */
  readonly leaseLeftMs?: number | undefined;
  /** Messages wait for it that no engine has taken. */
  readonly unread: boolean;
  readonly workflowPaused: { readonly since: number; readonly reason?: string } | null;
  readonly tail: TailFacts;
  /** Of a run that waits for workers: where the first of its queued steps stands. */
  readonly queued?: { readonly sentence: string; readonly since: number; readonly until?: string } | undefined;
}

export function becauseOf(f: BecauseFacts): Because {
  const { row } = f;
  if (row.origin === "moved")
    return said("moved", "It continues in another store, or is on its way there.", row.persistedAt, { fix: "pawl export --help" });
  if (isSettled(row.status)) return ended(row);
  if (row.origin === "external")
    return said("external", "A program outside writes its events; no engine works on it.", row.persistedAt, {
      fix: "Look at the program that appends its events.",
    });
  if (row.status === "PAUSED") return paused(f);
  if (row.waiting === "decision" && (f.ownerAlive || !f.unread)) return decision(f);
  const rests = f.ownerAlive || !(isDue(f) || f.unread);
  return rests ? waiting(f) : waitsForEngine(f);
}

function isDue({ row, nowMs }: BecauseFacts): boolean {
  return row.dueAt !== null && row.dueAt <= nowMs;
}

function ended(row: RunRow): Because {
  const id = row.workflowId;
  const how = { COMPLETED: "It completed.", FAILED: "It failed.", CANCELLED: "It was cancelled." } as Readonly<Record<string, string>>;
  const fix =
    row.status === "COMPLETED" ? {} : { fix: `pawl inspect ${id} shows the reason; pawl retry ${id} --dry-run says what a retry would do` };
  return said("ended", how[row.status] ?? `It is ${row.status}.`, row.persistedAt, fix);
}

function paused({ row, tail }: BecauseFacts): Because {
  const why = tail.paused;
  const since = why?.at ?? row.persistedAt;
  if (row.waiting === "decision" || why?.diverged === true)
    return said("diverged", `Its code and its log disagree${detail(why?.reason)}.`, since, {
      fix: `Deploy code that fits its log, then: pawl resume ${row.workflowId}`,
    });
  return said("paused", `It is paused${detail(why?.reason)}.`, since, { fix: `pawl resume ${row.workflowId}` });
}

function decision({ row, tail, nowMs }: BecauseFacts): Because {
  const asked = tail.asked;
  const since = asked?.at ?? row.persistedAt;
  if (asked?.kind === "approval")
    return said("approval", `Step ${asked.step ?? ""} waits for approval${detail(asked.reason)}.`, since, {
      fix: `pawl resolve ${row.workflowId} --approve --by <you> --reason <why>`,
    });
  if (asked?.kind === "question")
    return said("question", `It asks a person (${asked.step ?? ""})${detail(asked.reason)}.`, since, {
      ...(row.dueAt !== null && row.dueAt > nowMs ? { until: toTimeText(row.dueAt) } : {}),
      fix: `pawl answer ${row.workflowId} --value <json> --by <you>`,
    });
  const of = asked?.step === undefined ? "A person must decide how it continues" : `A person must decide about step ${asked.step}`;
  return said("decision", `${of}${detail(asked?.reason)}.`, since, {
    ...(asked?.quotes === true ? quoted(asked.reason) : {}),
    fix: `pawl decisions lists the possible answers; then: pawl resolve ${row.workflowId} --by <you> --reason <why>`,
  });
}

/** It rests, or its engine is at work. */
function waiting(f: BecauseFacts): Because {
  const { row, tail } = f;
  const until = row.dueAt !== null && row.dueAt > f.nowMs ? { until: toTimeText(row.dueAt) } : {};
  if (row.status === "PENDING" && row.waiting === null && until.until !== undefined)
    return said("timer", "It was started for later.", row.createdAt, until);
  const open = (kind: Waiting): OpenWait | undefined => [...tail.open].reverse().find((w) => w.waits === kind);
  const wait = row.waiting === null ? undefined : open(row.waiting);
  const since = wait?.at ?? row.persistedAt;
  switch (row.waiting) {
    case "timer":
      return said("timer", `It sleeps${named(wait)}.`, since, until);
    case "retry":
      return said("retry", `An attempt${of(wait)} failed; the next one follows${detail(wait?.error)}.`, since, {
        ...until,
        ...quoted(wait?.error),
      });
    case "signal":
      return said("signal", wait?.signal === undefined ? "It waits for a message." : `It waits for signal ${wait.signal}.`, since, {
        ...until,
        fix: `pawl signal ${row.workflowId} ${wait?.signal ?? "<name>"} --payload <json>`,
      });
    case "worker": {
      const { sentence, since: from = since, until: expires } = f.queued ?? { sentence: "Its steps are on queues" };
      return said("worker", `${sentence}.`, from, {
        ...(expires === undefined ? until : { until: expires }),
        fix: `pawl why ${row.workflowId}; pawl queues`,
      });
    }
    case "child": {
      const child = wait?.child;
      return said(
        "child",
        child === undefined ? `It waits for a run that it called${named(wait)}.` : `It waits for ${child}, which it called.`,
        since,
        {
          ...until,
          ...(child === undefined ? {} : { fix: `pawl inspect ${child}` }),
        },
      );
    }
    default: {
      const steps = tail.open.filter((w) => w.waits === null).map((w) => w.step);
      const ending = row.waiting === "drain" ? ", before it stops" : "";
      const what =
        steps.length === 0
          ? "An engine works on it"
          : `Step${steps.length === 1 ? "" : "s"} ${list(steps)} ${steps.length === 1 ? "is" : "are"} at work`;
      return said("working", `${what}${ending}.`, tail.open.find((w) => w.waits === null)?.at ?? row.persistedAt, {
        ...until,
        ...(f.leaseLeftMs === undefined ? {} : { fix: takeOverText(row, f.leaseLeftMs) }),
      });
    }
  }
}

/** Nobody can know at once that a process was killed: as a rule its lock shows it within a second, and the end of its lease shows it in any case. */
function takeOverText(row: RunRow, leftMs: number): string {
  return `Its engine is ${row.owner ?? "unknown"}. If its process was killed, another engine takes over: usually within about a second, at the latest in ${Math.max(1, Math.ceil(leftMs / 1_000))} s, when its lease ends.`;
}

function waitsForEngine({ row, served, draining, workflowPaused, nowMs }: BecauseFacts): Because {
  const since = row.dueAt === null || row.dueAt <= row.createdAt ? row.persistedAt : Math.min(row.dueAt, nowMs);
  if (workflowPaused !== null)
    return said(
      "workflow-paused",
      `Workflow ${row.workflow} is paused${detail(workflowPaused.reason)}.`,
      Math.max(since, workflowPaused.since),
      {
        fix: `pawl workflows resume ${row.workflow}`,
      },
    );
  if (!served || draining === true) {
    const why = served ? `Each engine that has workflow ${row.workflow} drains.` : `No engine that has workflow ${row.workflow} is alive.`;
    return said("no-engine", why, since, {
      fix: `Start a process whose engine has workflow ${row.workflow} (version ${row.version}); pawl engines lists those that are alive.`,
    });
  }
  return row.owner === null
    ? said("queued", "It is due; an engine takes it on when it has a place.", since, { fix: "pawl engines" })
    : said("queued", `Its engine ${row.owner} is gone; another one takes it over.`, since, { fix: "pawl engines" });
}

function said(code: Because["code"], text: string, since: number, more: Pick<Because, "until" | "fix" | "quotes"> = {}): Because {
  return { code, text: text.replace(/([?!])\.$/, "$1"), since: toTimeText(since), ...more };
}

/** A recorded reason as the end of a sentence, without its own full stop. */
function detail(reason: string | undefined): string {
  return reason === undefined || reason === "" ? "" : `: ${shortened(reason)}`;
}
function shortened(reason: string): string {
  return reason.replace(/\.$/, "").slice(0, 300);
}
function quoted(reason: string | undefined): { quotes?: string } {
  return reason === undefined || reason === "" ? {} : { quotes: shortened(reason) };
}
function named(w: OpenWait | undefined): string {
  return w === undefined ? "" : ` (${w.step})`;
}
function of(w: OpenWait | undefined): string {
  return w === undefined ? "" : ` of step ${w.step}`;
}
function list(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}
