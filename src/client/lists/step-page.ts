// Steps of a run, a page at a time, in the order in which they began. A log only grows, so the place of a step never changes and a page
// that was read stays true but for what its steps have come to since.
import type { Scope } from "../../core/model.ts";
import type { RunRow } from "../../store/port.ts";
import { checkLimit, decodePlace, encodePlace, filterMark, invalidCursor, markedCursor, placeOf } from "./list-cursor.ts";
import type { LogFolds } from "./log-folds.ts";
import type { PageOptions, StepPage } from "../types.ts";
import { stepView } from "../views.ts";

export async function readStepPage(folds: LogFolds, scope: Scope, row: RunRow, o: PageOptions = {}): Promise<StepPage> {
  const limit = checkLimit(o.limit, 100);
  const mark = filterMark(scope, "steps", { runId: row.runId });
  const from = o.cursor === undefined ? 0 : decodePlace(placeOf(o.cursor, mark));
  if (typeof from !== "number" || !Number.isSafeInteger(from) || from < 0) throw invalidCursor();
  const steps = await folds.steps(row);
  const to = from + limit;
  const page = steps.slice(from, to).map(stepView);
  return to < steps.length ? { steps: page, cursor: markedCursor(mark, encodePlace(to)) } : { steps: page };
}
