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
  "questions.answer": ["The answer is recorded for good, with who gave it, and the run continues with it."],
  "workflows.pause": ["Engines begin and take on no more runs of this workflow. Starts queue; runs at work continue."],
  "runs.evaluate": ["The run is woken. It does what it would have done anyway, perhaps sooner."],
  "templates.put": ["The template is registered. Its content never changes under this version; runs can be started of it."],
  "templates.retire": ["Nothing new is started of this version of the template. Its runs continue."],
  "steps.act": ["What is said of the step is recorded for good, and the run continues from it. A retry sends its effect again."],
  "queues.set": ["From now on the queue is claimed under these limits. Steps that are claimed continue."],
  "queues.pause": ["Nothing more of this queue is claimed or begun. Steps that are claimed continue; starts and steps queue."],
  "queues.resume": ["Steps of this queue are claimed again, those that waited longest first."],
  "investigations.open": ["A record is opened, with a snapshot of the run. The run is not changed."],
  "investigations.note": ["A note is added to the record. The run is not changed."],
  "investigations.close": ["The record is closed and kept. The run is not changed."],
  "schedules.put": ["From its next due time on, the schedule starts runs, whose steps may act on the world outside."],
  "schedules.pause": ["The schedule fires no more until it is resumed. Runs that it started continue."],
  "schedules.resume": ["The schedule fires again from its next due time on. What was due meanwhile is not made up."],
  "schedules.fire": ["A run is started now, besides the due times. Its steps may act on the world outside."],
  "schedules.remove": ["The schedule and the record of its due times are removed. Runs that it started stay."],
  "workflows.resume": ["Engines work on runs of this workflow again, those that queued first."],
};

export function consequencesOf(operation: Operation): readonly string[] {
  return sentences[operation] ?? ["Something is changed."];
}
