// What one caller may take: requests at once per credential, and tries without a valid credential per address. Both answer 429 before anything is
// read from the store. Their memory is bounded: a caller with nothing under way and no recent failure takes none.
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { type AddressRanges, plainAddress } from "../platform/net/address-ranges.ts";
import type { Platform } from "../platform/platform.ts";
import type { Caller } from "./access/caller.ts";
import type { Inbound } from "./http/inbound.ts";
import { Refusal } from "./problem.ts";

const inFlightMax = 100;
const triesPerSecond = 10;
const addressesMax = 10_000;
const acceptedMax = 10_000;
const acceptedMs = 60_000;

/** Requests under way, per token or principal. */
export class InFlight {
  readonly #counts = new Map<string, number>();

  /** Counts `n` more; the caller of this gives them back with `leave`. */
  enter(caller: Caller, n = 1): string {
    const key = caller.tokenId ?? `${caller.principal.kind}:${caller.principal.subject}`;
    const now = this.#counts.get(key) ?? 0;
    if (now + n > inFlightMax)
      throw new PawlError("PAWL4084", `this caller has ${now} requests under way; ${inFlightMax} are allowed at once`);
    this.#counts.set(key, now + n);
    return key;
  }

  leave(key: string, n = 1): void {
    const left = (this.#counts.get(key) ?? n) - n;
    if (left <= 0) this.#counts.delete(key);
    else this.#counts.set(key, left);
  }
}

interface Tries {
  left: number;
  atMs: number;
}

/** Tries to authenticate that failed, per address: ten a second, refilled with time. */
export class FailedTries {
  readonly #platform: Platform;
  readonly #tries = new Map<string, Tries>();
  /** Digests of credentials, and when they were accepted. */
  readonly #accepted = new Map<string, number>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Refuses an address that has used up its tries, unless it shows what was accepted a moment ago: others may share the address. */
  check(address: string | undefined, shown: string): void {
    if (address === undefined || this.#of(address).left >= 1 || this.#isAccepted(shown)) return;
    const error = new PawlError("PAWL4084", `more than ${triesPerSecond} requests a second without a valid credential`);
    throw new Refusal(error, { "retry-after": "1" });
  }

  failed(address: string | undefined): void {
    if (address === undefined) return;
    const tries = this.#of(address);
    tries.left -= 1;
    this.#tries.delete(address); // the latest are last
    this.#tries.set(address, tries);
    const [oldest] = this.#tries.keys();
    if (this.#tries.size > addressesMax && oldest !== undefined) this.#tries.delete(oldest);
  }

  accepted(shown: string): void {
    this.#accepted.delete(shown);
    this.#accepted.set(shown, this.#platform.monotonicMs());
    const [oldest] = this.#accepted.keys();
    if (this.#accepted.size > acceptedMax && oldest !== undefined) this.#accepted.delete(oldest);
  }

  #isAccepted(shown: string): boolean {
    return this.#platform.monotonicMs() - (this.#accepted.get(shown) ?? Number.NEGATIVE_INFINITY) < acceptedMs;
  }

  #of(address: string): Tries {
    const now = this.#platform.monotonicMs();
    const { left, atMs } = this.#tries.get(address) ?? { left: triesPerSecond, atMs: now };
    return { left: Math.min(triesPerSecond, left + ((now - atMs) / 1_000) * triesPerSecond), atMs: now };
  }
}

/** What a request shows of itself, as a digest: a credential is never kept. */
export function shownBy({ headers }: Inbound): string {
  const shown = ["authorization", "cookie", "x-pawl-session"].map((name) => headers.get(name) ?? "");
  return shown.every((text) => text === "") ? "" : sha256Hex(shown.join("\n"));
}

/** Who is at the other end: the connection's address, or, behind proxies that are trusted, what the last of them saw. */
export function clientAddress({ headers, peer }: Inbound, trusted: AddressRanges | undefined): string | undefined {
  if (peer === undefined || trusted === undefined || !trusted.has(peer)) return peer === undefined ? undefined : plainAddress(peer);
  const seen = (headers.get("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  for (const address of seen.toReversed()) if (address !== "" && !trusted.has(address)) return plainAddress(address).slice(0, 64);
  return plainAddress(peer);
}
