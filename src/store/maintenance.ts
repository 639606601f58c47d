// The facet for operators: checks and repairs of the whole store, and whole runs that leave it or come in. The engine's own work never
// needs it.
import type { Archive } from "./archive.ts";
import type { Audit } from "./audit.ts";

export interface Maintenance {
  readonly audit: Audit;
  /** Retention, export and import. */
  readonly archive: Archive;
}
