// Schedules over HTTP: each verb is one operation. Times travel as text. A fire carries its requestId from the first try on, so that it starts one
// run however often it is sent.
import type { PutSchedule } from "../../api/types/schedule.ts";
import { PawlError } from "../../errors/error.ts";
import type { NewSchedule, ScheduleVerbs } from "../../schedule/types.ts";
import { type HttpCaller, readAll } from "./call.ts";

export function httpSchedules({ call }: HttpCaller): ScheduleVerbs {
  return {
    put: async (s) => call("schedules.put", wireSchedule(s)),
    list: () => readAll((cursor) => call("schedules.list", cursor)),
    get: (name, o = {}) => call("schedules.get", { name, ...o }),
    pause: (name, o = {}) => call("schedules.pause", { name, ...o }),
    resume: (name, o = {}) => call("schedules.resume", { name, ...o }),
    remove: (name, o) => call("schedules.remove", { name, ...o }),
    fire: (name, o = {}) => call("schedules.fire", { name, ...o }),
  };
}

function wireSchedule(s: NewSchedule): PutSchedule {
  const when: Record<string, unknown> = { ...s.when };
  for (const member of ["from", "until"]) {
    const value = when[member];
    if (value instanceof Date) {
      if (Number.isNaN(value.getTime())) throw new PawlError("PAWL1040", `${member} is not a date`);
      when[member] = value.toISOString();
    }
  }
  return { ...s, when } as PutSchedule;
}
