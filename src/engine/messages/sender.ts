// Who sent a message, as the event that takes it records it. What stands in the inbox row is read, checked and written again: a row of another
// writer must never break an event.
import { principalFrom, principalText, traceFrom } from "../../core/principal.ts";
import type { InboxRow } from "../../store/port.ts";
import type { RunTrace } from "../telemetry/run-trace.ts";

/** JSON text for the event's `principal`; undefined: nobody was named. */
export function senderOf({ by }: Pick<InboxRow, "by">): string | undefined {
  return by === null ? undefined : principalText(principalFrom(by));
}

/** The activation that takes a message links to the span that sent it. */
export function linkSender(r: { readonly trace: RunTrace | null }, { by }: Pick<InboxRow, "by">): void {
  const sent = r.trace === null ? undefined : traceFrom(by);
  if (sent !== undefined) r.trace!.link(sent);
}
