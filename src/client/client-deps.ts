// What every verb of the client in process works with: the store, the machine, whose runs they are, and the engine beside it, if there is
// one. Types only: a verb takes what it needs from here and keeps nothing.
import type { Limits } from "../core/limits.ts";
import type { Scope } from "../core/model.ts";
import type { Principal } from "../core/principal.ts";
import type { Definition } from "../engine/definition.ts";
import type { EngineCore } from "../engine/engine.ts";
import type { Telemetry } from "../engine/telemetry/telemetry.ts";
import type { CodeSchedule } from "../schedule/define.ts";
import type { ScheduleRow } from "../schedule/rows.ts";
import type { HttpPoster } from "../platform/net/post.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { OpenReaders } from "./reader-verbs.ts";
import type { SharedParts } from "./shared-parts.ts";
import type { FreshIds } from "./start/fresh-ids.ts";

/** The same, with what it shares. */
export interface ClientContext extends LocalClientDeps {
  readonly parts: SharedParts;
}

export interface LocalClientDeps {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: Scope;
  readonly limits: Limits;
  readonly engine: EngineCore | null;
  /** Who asks through this client, as it was authenticated: recorded with whatever is asked for. Absent: nobody in particular. */
  readonly by?: Principal;
  /** Code that this process has beside the engine's own, for checking what is sent to its runs. */
  readonly known?: ReadonlyMap<string, Definition>;
  /** How long accepted records are kept at least; null = as long as the workflow. */
  readonly retainMs: number | null;
  /** The way out for webhooks; a test puts another in its place. */
  readonly postHttp?: HttpPoster;
  /** What reads the log through this client, to be stopped before the store is closed. */
  readonly readers?: OpenReaders;
  /** What this client shares with others of the same store and tenant; its own unless given. To be closed before the store is. */
  readonly parts?: SharedParts;
  /** Where runs are started often: whether the next one is likely to be new. */
  readonly freshIds?: FreshIds;
  /** Who made the token with which it asks, where somebody did. */
  readonly tokenBy?: string;
  /** Which span is active where something is asked for; absent: none is. */
  readonly telemetry?: Telemetry | null;
  /** The schedules in the code of this process's engine, which can make the inputs of their runs. */
  readonly schedules?: { codeOf(row: ScheduleRow): CodeSchedule | undefined };
  /** What the engine of this process, and all that runs beside it, counted, as Prometheus text. */
  readonly metricsText?: () => string;
}
