// signalId (and updateId) as the contract wants it: optional; 1 to 128 bytes of UTF-8, case-sensitive, never trimmed or
// normalised; malformed text is refused, since all lone surrogates would become one (W-047 … W-056, resolution 23).
import { isWellFormedText, utf8Length } from "../../core/names.ts";
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";

const bytesMax = 128;

/** Checked before anything is stored; a missing id is made fresh, and the request is then not idempotent (W-047). */
export function checkSignalId(id: unknown, platform: Platform, field: "signalId" | "updateId" = "signalId"): string {
  if (id === undefined) return platform.uuidV4();
  const refused = (problem: string): PawlError => new PawlError("PAWL4005", `${field} ${problem}`, { data: { field } });
  if (typeof id !== "string") throw refused("must be a string");
  if (id === "") throw refused("must not be empty");
  if (!isWellFormedText(id)) throw refused("must be well-formed text without U+0000");
  if (utf8Length(id) > bytesMax) throw refused(`must be at most ${bytesMax} bytes of UTF-8`);
  return id;
}
