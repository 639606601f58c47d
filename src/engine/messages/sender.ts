// Who sent a message, as the event that takes it records it. What stands in the inbox row is read, checked and written again: a row of another
// writer must never break an event.
import { principalFrom, principalText } from "../../core/principal.ts";
import type { InboxRow } from "../../store/port.ts";

/** JSON text for the event's `principal`; undefined: nobody was named. */
export function senderOf({ by }: Pick<InboxRow, "by">): string | undefined {
  return by === null ? undefined : principalText(principalFrom(by));
}
