// Whose doing it is that a transaction passes its time limit: what each kind of slowness is called. On a virtual clock.
// Guards that only the user's own slowness is the user's failure.
import { expect, it } from "vitest";
import { proves } from "../../../test/support/proves.ts";
import { isPawlError } from "../../errors/error.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { TxLimit, type SessionState } from "./tx-limit.ts";

const told = async (p: Promise<never>): Promise<unknown> =>
  p.catch((e: unknown) => (isPawlError(e) ? [e.page, e.data["again"] === true] : e));
const never = (): Promise<never> => new Promise(() => {});

it.each([
  ["executing", ["PAWL3011", false]],
  ["blocked", ["PAWL3001", false]],
  ["idle", ["PAWL3002", false]],
  ["unknown", ["PAWL3011", true]],
] as const)("a statement without an answer, whose session is %s, is judged by that", proves("K11"), async (doing: SessionState, said) => {
  const p = virtualPlatform();
  const limit = new TxLimit(p, 5_000, 5_000, async () => doing);
  void limit.track(never);
  const ended = told(limit.expired);
  await p.advance(5_000);
  expect(await ended).toEqual(said);
});

it("a server that cannot even be asked has not answered", proves("K11"), async () => {
  const p = virtualPlatform();
  const limit = new TxLimit(p, 5_000, 5_000, never);
  void limit.track(never);
  const ended = told(limit.expired);
  await p.advance(6_000);
  expect(await ended).toEqual(["PAWL3002", false]);
});

it("time between statements is the author's own; time spent waiting for answers is not clearly so", proves("K11"), async () => {
  for (const [waitedMs, again] of [
    [1_000, false],
    [4_000, true],
  ] as const) {
    const p = virtualPlatform();
    const limit = new TxLimit(p, 5_000, 5_000, never);
    const slow = limit.track(() => new Promise<void>((resolve) => void p.timer(waitedMs, resolve)));
    await p.advance(waitedMs);
    await slow;
    const ended = told(limit.expired);
    await p.advance(5_000);
    expect(await ended).toEqual(["PAWL3011", again]);
  }
});
