// Every kind of step, by the name under which it is recorded: one line for each. Asked where only the record is known, not the code's
// step; an open step has its kind at hand.
import type { StepKindName } from "../../core/model.ts";
import { askKind } from "./ask.ts";
import { childKind, startKind } from "./child.ts";
import { compensationKind } from "./compensation.ts";
import { effectKind } from "./effect.ts";
import { sendKind } from "./send.ts";
import { signalKind } from "./signal.ts";
import type { StepKind } from "./step-kind.ts";
import { timerKind } from "./timer.ts";
import { transactionKind } from "./transaction.ts";

export const kinds: Readonly<Record<StepKindName, StepKind>> = {
  effect: effectKind,
  tx: transactionKind,
  timer: timerKind,
  signal: signalKind,
  child: childKind,
  start: startKind,
  send: sendKind,
  ask: askKind,
  compensation: compensationKind,
};
