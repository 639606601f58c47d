// What a step that calls another run holds: the workflow and its input, and which run's end it waits for. Data only: what is done
// with it is in child.ts.
import type { StartedChild } from "../../calls.ts";
import type { Definition } from "../../definition.ts";

/** The workflow that a call names, and the input for it, encoded. */
export interface ChildCall {
  readonly definition: Definition;
  readonly input: string;
}

export interface ChildBody {
  /** Under whose name the end of the called run is reported; null: only its start is waited for. */
  readonly childStepId: string | null;
  /** The called run is cancelled when this run ends. */
  readonly cancels: boolean;
  /** What a step that only starts a run returns. */
  child: StartedChild | null;
  /** The run that an earlier run of the chain may have started: its end is reported there, so it is looked for. */
  readonly adopted?: string | undefined;
  readonly calls?: ChildCall;
}
