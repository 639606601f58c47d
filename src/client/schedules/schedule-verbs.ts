// The verbs of schedules in process: put, list, get, pause, resume, remove, fire. What a client puts is checked as a start by name is, before anything is
// written; an authenticated caller signs for what it asks. The rules are in src/schedule.
import { encode } from "../../codec/value.ts";
import { isUuidV4 } from "../../core/names.ts";
import { principalText } from "../../core/principal.ts";
import { PawlError } from "../../errors/error.ts";
import { checkTerms } from "../../schedule/define.ts";
import type { FireDeps } from "../../schedule/fire.ts";
import { fireNow, pauseSchedule, removeSchedule, requireSchedule, resumeSchedule, type Asked } from "../../schedule/orders.ts";
import { putTerms } from "../../schedule/put.ts";
import type { NewSchedule, ScheduleOrder, ScheduleVerbs, ScheduleView } from "../../schedule/types.ts";
import { scheduleView, scheduleViews } from "../../schedule/views.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { checkStart } from "../start/start-check.ts";
import { statedBy } from "../stated-by.ts";

const defaultFires = 20;
const firesMax = 1_000;
const textMax = 512;

export function scheduleVerbs(c: LocalClientDeps): ScheduleVerbs {
  const d: FireDeps = {
    store: c.store,
    scope: c.scope,
    platform: c.platform,
    limits: c.limits,
    definition: (workflow) => c.engine?.definition(workflow) ?? c.known?.get(workflow),
    code: (row) => c.schedules?.codeOf(row),
  };
  const viewed = async (name: string, fires = defaultFires): Promise<ScheduleView> =>
    scheduleView(d, await requireSchedule(d, name), fires);
  return {
    put: async (s) => {
      const stored = await putTerms(c.store, c.scope, await checkNew(c, s), askedBy(c, s));
      return scheduleView(d, stored, defaultFires);
    },
    list: () => scheduleViews(d),
    get: (name, o = {}) => viewed(name, checkFires(o.fires)),
    pause: async (name, o = {}) => {
      await pauseSchedule(d, name, askedBy(c, o));
      return viewed(name);
    },
    resume: async (name, o = {}) => {
      await resumeSchedule(d, name, askedBy(c, o));
      return viewed(name);
    },
    remove: async (name, o) => {
      if (typeof o?.reason !== "string" || o.reason.trim() === "") throw new PawlError("PAWL4090", "removing a schedule needs a reason");
      await removeSchedule(d, name, askedBy(c, o));
      return { removed: true };
    },
    fire: (name, o = {}) => {
      const { requestId = c.platform.uuidV4() } = o;
      if (!isUuidV4(requestId)) throw new PawlError("PAWL4011", "requestId must be a UUID of version 4");
      return fireNow(d, name, askedBy(c, o), requestId, principalText(c.by));
    },
  };
}

async function checkNew(c: LocalClientDeps, s: NewSchedule): Promise<Parameters<typeof putTerms>[2]> {
  if (typeof s !== "object" || s === null) throw new PawlError("PAWL4011", "a schedule is an object with name, when and workflow");
  const terms = checkTerms(s.name, s.when, s.overlap, s.catchup);
  const input = s.input === undefined ? null : encode(s.input, c.limits, "input");
  const known = c.engine?.definition(s.workflow) ?? c.known?.get(s.workflow);
  if (known !== undefined) await known.input(s.input, "input");
  else {
    const base = { runId: "", workflowId: terms.name, definition: { name: s.workflow, version: "1" }, input, parsed: false };
    await checkStart(c, { workflow: s.workflow, input: s.input, id: terms.name }, base);
  }
  return { ...terms, workflow: s.workflow, input: { value: input } };
}

function askedBy(c: LocalClientDeps, o: ScheduleOrder): Asked {
  const by = statedBy(c.by, o.by, "/by");
  for (const [text, what] of [
    [by, "by"],
    [o.reason, "reason"],
  ] as const)
    if (text !== undefined && (typeof text !== "string" || text.trim() === "" || text.length > textMax))
      throw new PawlError("PAWL4011", `${what} must be text of at most ${textMax} characters`);
  return { ...(by === undefined ? {} : { by }), ...(o.reason === undefined ? {} : { reason: o.reason }) };
}

function checkFires(n: number = defaultFires): number {
  if (!Number.isSafeInteger(n) || n < 1 || n > firesMax)
    throw new PawlError("PAWL4011", `fires must be a whole number from 1 to ${firesMax}`);
  return n;
}
