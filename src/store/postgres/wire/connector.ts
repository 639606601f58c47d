// How sessions of one place are opened: with Pawl's settings in the first packet, or without any where a pooler stands between,
// which is learned from its refusal. It must never ask for a session by itself; pools do.
import { openConnection, type Connection } from "./driver.ts";
import { isStartupRefused } from "../errors.ts";
import type { PostgresAddress } from "./address.ts";

const connectMsMax = 5_000;

export interface Connector {
  /** True once it is known, from the place or from what a session met. */
  pooler: boolean;
  /** `options`: settings that these sessions need beside the user's. */
  readonly session: (options: string) => () => Promise<Connection>;
}

/** `plainQueries`: see ConnectOptions. */
export function connectorFor(place: PostgresAddress, plainQueries = false): Connector {
  const { connectionString } = place;
  const plain = (): Promise<Connection> => openConnection({ connectionString, options: place.options, connectMsMax, plainQueries });
  const o: Connector = {
    pooler: place.pooler,
    session: (options) => async () => {
      if (o.pooler) return plain();
      return openConnection({ connectionString, options: `${place.options} ${options}`.trim(), connectMsMax, plainQueries }).catch(
        (e: unknown) => {
          if (!isStartupRefused(e)) throw e;
          o.pooler = true; // only what stands between refuses settings that every server knows
          return plain();
        },
      );
    },
  };
  return o;
}

/** How long a caller waits for a session, and a session may be silent: longer than the server's own limit for a statement. */
export const poolLimits: { readonly waitMsMax: number; readonly answerMsMax: number } = { waitMsMax: 5_000, answerMsMax: 15_000 };
