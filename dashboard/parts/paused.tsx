// That something is paused, since when, by whom and why, as text that everybody can read: not on hover only.
// What others wrote stays text.
import type { JSX } from "preact";
import type { Principal } from "../../src/core/principal.ts";
import { Badge } from "./badges.tsx";
import { Plain } from "./text.tsx";
import { Ago } from "./time.tsx";

interface PausedProps {
  readonly of: { readonly since: string; readonly by?: string | Principal; readonly reason?: string };
}

export function Paused({ of: { since, by, reason } }: PausedProps): JSX.Element {
  const who = typeof by === "object" ? by.subject : by;
  return (
    <>
      <Badge tone="warn" text="paused" />
      <div class="small quiet">
        <Ago at={since} />
        {who === undefined ? null : (
          <>
            {" by "}
            <Plain text={who} max={60} />
          </>
        )}
        {reason === undefined || reason === "" ? null : (
          <>
            {": "}
            <Plain text={reason} max={200} />
          </>
        )}
      </div>
    </>
  );
}
