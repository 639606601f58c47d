// What a tool that changes something would do, in Pawl's own words: for the preview. It must never quote anything recorded: names, reasons and
// payloads of runs are in the preview's fields, where nobody takes them for instructions.
import type { Operation } from "../api/operations.ts";

const sentences: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  "runs.start": ["A run is started. Its steps may act on the world outside as soon as an engine works on it."],
  "runs.signal": ["The signal is stored and delivered to the run. It cannot be taken back."],
  "runs.update": ["The request is stored and handed to the run, which may accept or refuse it. It cannot be taken back."],
  "runs.cancel": ["The run stops what it does, its compensations run, and it ends as CANCELLED. It cannot be resumed."],
  "runs.pause": ["The run pauses after the steps that are at work. Timers continue; it can be resumed."],
  "runs.resume": ["The run continues from where it paused."],
  "runs.terminate": ["The run ends at once. No compensation runs: what it did outside stays done. It cannot be resumed."],
  "runs.retry": [
    "A new run starts in place of the one that ended. It keeps completed effects and runs the rest again; `plan` says what happens to each step.",
  ],
  "decisions.resolve": ["The answer is recorded for good, and the run continues from it. `decision` says what each answer means."],
  "workflows.pause": ["Engines begin and take on no more runs of this workflow. Starts queue; runs at work continue."],
  "workflows.resume": ["Engines work on runs of this workflow again, those that queued first."],
};

export function consequencesOf(operation: Operation): readonly string[] {
  return sentences[operation] ?? ["Something is changed."];
}
