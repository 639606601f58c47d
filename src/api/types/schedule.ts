// A schedule as it travels: times are RFC 3339 text, durations milliseconds or text such as "15m". Types only;
// what it means is in src/schedule.
import type { NewSchedule } from "../../schedule/types.ts";

/** When a schedule is due: `cron` with `tz`, or `every` with `from`; `until` ends both. */
export interface WireWhen {
  readonly cron?: string;
  readonly tz?: string;
  readonly every?: string | number;
  readonly from?: string;
  readonly until?: string;
}
export interface PutSchedule extends Omit<NewSchedule, "when" | "catchup"> {
  readonly when: WireWhen;
  readonly catchup?: string | number;
}
