// What an entry point gives to engine() and run(): the machine, the log, how a store is opened; and the tenant of those that name
// none. Everything else in this folder receives these as values and reaches for nothing itself.
import type { Scope } from "../core/model.ts";
import type { Logger } from "../engine/run-host.ts";
import type { Telemetry } from "../engine/telemetry/telemetry.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";

/** What the entry point supplies: the machine, and how to open a store. */
export interface Environment {
  readonly platform: Platform;
  readonly log: Logger;
  /** NODE_ENV says so. */
  readonly production?: boolean;
  /** PAWL_SEAL_KEY: the key file to seal with where no option says otherwise. */
  readonly sealKey?: string | undefined;
  /** How spans are made; absent: none are. */
  telemetry?(): Promise<Telemetry | null>;
  open(store: string | undefined): Promise<FullStore>;
  /** The URL that is opened when none was given; absent: `open` knows. */
  nearest?(): string;
}

/** The tenant of everybody who names none. */
export const defaultScope: Scope = { tenantId: "default", projectId: "default", environmentId: "default" };
