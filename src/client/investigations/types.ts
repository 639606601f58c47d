// The verbs of investigations as a client offers them. Types only: what one is stands in api/types/queues.ts.
// They must stay what an HTTP client can offer too.
import type { AskedBy, InvestigationCause, InvestigationView } from "../../api/types/queues.ts";

/** Runs that somebody should look at: records with a history. Opening or closing one changes nothing of its run. */
export interface InvestigationVerbs {
  /**
   * Those that are open, or all that are kept, by run; at most `limit` (100).
   *
   * @example
   * for (const i of await client.investigations.list({ open: true })) console.log(i.runId, i.why);
   */
  list(o?: {
    readonly open?: boolean;
    readonly why?: InvestigationCause;
    readonly run?: string;
    readonly limit?: number;
  }): Promise<readonly InvestigationView[]>;
  /**
   * Opens one for a run, with a snapshot of how it stands. Refused while one is open.
   *
   * @example
   * await client.investigations.open("order-17", { by: "ann", reason: "the customer called" });
   */
  open(run: string, o: AskedBy): Promise<InvestigationView>;
  /**
   * Adds a note to the one that is open.
   *
   * @example
   * await client.investigations.note("order-17", { by: "ann", reason: "the bank has no record of it" });
   */
  note(run: string, o: AskedBy): Promise<InvestigationView>;
  /**
   * Closes the one that is open, and keeps it. What becomes of the run is for other verbs: `act`, `retry`, `control`.
   *
   * @example
   * await client.investigations.close("order-17", "resolved", { by: "ann", reason: "paid by hand" });
   */
  close(run: string, as: "resolved" | "failed" | "cancelled", o: AskedBy): Promise<InvestigationView>;
}
