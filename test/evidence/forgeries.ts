// The lies of the golden files, each with the checks that must find it and no others. Changed by hand only; the files are
// written from it by make.ts. A check without a lie here is a check that nobody has seen fail.
import { find, forge, insertAfter, type Forged } from "./forge.ts";

export interface Forgery {
  readonly name: string;
  /** What was done to a true archive. */
  readonly story: string;
  readonly fails: readonly string[];
  /** Made of the sealed archive, and checked with these: the public keys of its seals, the heads that a witness kept. */
  readonly sealed?: { readonly key?: string; readonly witness?: string };
  /** Made of the archive of a line of runs. */
  readonly ofLine?: true;
  make(good: Uint8Array, key: string): Uint8Array;
}

type Change = (f: Forged) => void;

/** Takes the run that was retried out of the line, and what line.jsonl says of it; answers with its id. */
export function withoutRelative(f: Forged): string {
  const { runId, member } = f.manifest["line"].runs.shift() as { runId: string; member: string };
  f.members.delete(member);
  const kept = f.members
    .get("line.jsonl")!
    .split("\n")
    .filter((l) => !l.includes(runId));
  f.members.set("line.jsonl", kept.join("\n"));
  return runId;
}

/** Changes the log of the run that was retried. */
export function inRelative(f: Forged, change: Change, o: Parameters<typeof forge>[2] = {}): void {
  const { member } = f.manifest["line"].runs[0] as { member: string };
  const inner = forge(Buffer.from(f.members.get(member)!, "latin1"), change, o);
  f.members.set(member, Buffer.from(inner).toString("latin1"));
}
const plain = (name: string, story: string, fails: readonly string[], change: Change): Forgery => ({
  name,
  story,
  fails,
  make: (good) => forge(good, change),
});
/** With every hash, key and link made anew: only what the log says gives it away. */
const rechained = (name: string, story: string, fails: readonly string[], change: Change): Forgery => ({
  name,
  story,
  fails,
  make: (good) => forge(good, change, { rechain: true }),
});
/** The same of the sealed archive, by somebody who has everything but the key. */
const rewritten = (name: string, story: string, fails: readonly string[], sealed: Forgery["sealed"] & {}, change: Change): Forgery => ({
  ...rechained(name, story, fails, change),
  sealed,
});
const cheaper: Change = (f) => {
  find(f, "StepCompleted", "charge").payload["result"]["charged"] = 5;
};
/** The last Commit is gone, and the manifest says that the run goes on. */
const withoutEnd: Change = (f) => {
  const { stateVersion } = f.pieces.at(-1)!.event;
  f.pieces = f.pieces.filter((p) => p.event["stateVersion"] !== stateVersion);
  f.members.delete("seals.jsonl");
  f.manifest["run"]["status"] = "RUNNING";
};
/** The last seal says something else, and is not signed again. */
const otherStatement: Change = (f) => {
  const seal = f.pieces.findLast((p) => p.event["eventType"] === "pawl.HeadSealed")!;
  seal.payload["statement"] = (seal.payload["statement"] as string).replace(/"at":(\d+)/, (_, at: string) => `"at":${Number(at) + 1}`);
  const line = JSON.stringify({ runSeq: seal.event["runSeq"], salt: seal.shown!["salt"], payload: JSON.stringify(seal.payload) });
  const lines = f.members.get("seals.jsonl")!.trim().split("\n");
  f.members.set("seals.jsonl", `${[...lines.slice(0, -1), line].join("\n")}\n`);
};
const key = "signer.pub.pem";
const witness = "heads.jsonl";
const later = (text: string, ms: number): string => new Date(Date.parse(text) + ms).toISOString();
const hour = 3_600_000;

export const forgeries: readonly Forgery[] = [
  plain("altered-payload", "another amount in the result of a charge", ["payloads"], (f) => {
    const p = find(f, "StepCompleted", "charge");
    p.shown!["payload"] = (p.shown!["payload"] as string).replace("500", "5");
  }),
  plain("missing-event", "the event that tells of the second send is taken out", ["chain", "attempts", "ledger"], (f) => {
    const gone = find(f, "pawl.StepRedispatched", "charge");
    f.pieces.splice(f.pieces.indexOf(gone), 1);
    const others = f.members.get("effects.jsonl")!.split("\n");
    f.members.set("effects.jsonl", others.filter((l) => !l.startsWith(`{"runSeq":${gone.event["runSeq"]},`)).join("\n"));
  }),
  plain("swapped-events", "two events have changed places", ["order", "chain", "effects"], (f) => {
    const at = f.pieces.indexOf(find(f, "RunResumed"));
    [f.pieces[at], f.pieces[at + 1]] = [f.pieces[at + 1]!, f.pieces[at]!];
  }),
  plain("altered-key", "one digit of an idempotency key", ["keys", "chain"], (f) => {
    const { event } = find(f, "StepStarted", "mail");
    event["idempotencyKey"] = `${event["idempotencyKey"].slice(0, -1)}${event["idempotencyKey"].endsWith("0") ? "1" : "0"}`;
  }),
  plain("changed-time", "a failure that was recorded half a second later", ["chain"], (f) => {
    const { stateVersion } = find(f, "StepFailed", "flaky").event;
    for (const { event } of f.pieces) if (event["stateVersion"] === stateVersion) event["persistedAt"] = later(event["persistedAt"], 500);
  }),
  plain("changed-type", "a failure that is called a completion", ["keys", "chain", "outcomes", "effects", "verdict"], (f) => {
    find(f, "StepFailed", "flaky").event["eventType"] = "StepCompleted";
  }),
  plain("cut-off", "the last event is missing, and the manifest knows it", ["chain", "status"], (f) => {
    f.pieces.pop();
  }),
  plain("other-tenant", "events of one tenant under the name of another", ["envelopes", "chain"], (f) => {
    f.manifest["run"]["tenantId"] = "somebody-else";
  }),
  plain("unknown-format", "a format of another time", ["manifest"], (f) => void (f.manifest["format"] = 2)),
  plain("extra-member", "a member that the manifest does not list", ["archive"], (f) => void f.members.set("manifest.bak", "{}\n")),
  plain("other-status", "a manifest that calls a completed run failed", ["status"], (f) => void (f.manifest["run"]["status"] = "FAILED")),
  plain("other-effects", "effects.jsonl gives the charge another class", ["effects"], (f) => {
    f.members.set("effects.jsonl", f.members.get("effects.jsonl")!.replace('"class":"KEYED"', '"class":"ATOMIC"'));
  }),
  plain("other-ledger", "a ledger that has one send less than the log", ["ledger"], (f) => {
    f.members.set("ledger.jsonl", f.members.get("ledger.jsonl")!.replace('"engineAttempts":2', '"engineAttempts":1'));
  }),
  plain("other-verdict", "a proof that calls what was repeated once", ["verdict"], (f) => {
    f.members.set("proof.json", f.members.get("proof.json")!.replace('"verdict": "at-least-once"', '"verdict": "once"'));
  }),
  {
    name: "other-member",
    story: "operators.jsonl was changed after the manifest was made",
    fails: ["digests", "effects"],
    make: (good) =>
      forge(good, (f) => void f.members.set("operators.jsonl", f.members.get("operators.jsonl")!.replace("lunch", "audit")), {
        listed: false,
      }),
  },
  {
    name: "forged-signature",
    story: "signed, and then given another store",
    fails: ["signature"],
    make: (good, key) => {
      const signed = forge(good, () => {}, { key });
      return forge(signed, (f) => void (f.manifest["store"]["storeId"] = "another"));
    },
  },
  rechained("sent-twice", "an at-most-once effect that was sent again", ["at-most-once"], (f) => {
    const started = find(f, "StepStarted", "mail");
    insertAfter(f, started, { eventType: "pawl.StepRedispatched", stepId: undefined }, { stepId: "mail", engineAttemptId: 2, fence: 9 });
    find(f, "StepCompleted", "mail").event["engineAttemptId"] = 2;
  }),
  rechained("past-the-window", "a keyed effect that was sent again two days later, with a window of one", ["dedup"], (f) => {
    const at = f.pieces.indexOf(find(f, "pawl.StepRedispatched", "charge"));
    for (const { event } of f.pieces.slice(at)) event["persistedAt"] = later(event["persistedAt"], 48 * hour);
  }),
  rechained("too-soon", "a verified effect that was sent again while its first request was on its way", ["settle"], (f) => {
    const started = find(f, "StepStarted", "book");
    insertAfter(
      f,
      started,
      { eventType: "pawl.StepRedispatched", stepId: undefined },
      { stepId: "book", engineAttemptId: 2, fence: 9 },
      1_000,
    );
    find(f, "StepCompleted", "book").event["engineAttemptId"] = 2;
  }),
  rechained("two-outcomes", "a step that failed after it had completed", ["keys", "outcomes"], (f) => {
    insertAfter(f, find(f, "StepCompleted", "mail"), {}, { result: "sent again" });
  }),
  rechained("after-the-end", "something after the run's last event", ["transitions"], (f) => {
    insertAfter(f, f.pieces.at(-1)!, { eventType: "pawl.ViewPublished", stepId: undefined }, { name: "stage", value: "late" });
  }),
  rechained("early-timer", "a timer that fired at once", ["timers"], (f) => {
    find(f, "StepStarted", "nap").payload["delayMs"] = hour;
  }),
  rechained("uncounted-attempt", "a re-dispatch that skips a number, under an older fence", ["attempts"], (f) => {
    find(f, "pawl.StepRedispatched", "charge").payload["engineAttemptId"] = 4;
  }),
  rechained("doubt-ignored", "an effect in doubt that went on by itself", ["doubt"], (f) => {
    const started = find(f, "StepStarted", "mail");
    insertAfter(
      f,
      started,
      { eventType: "pawl.StepInDoubt", stepId: undefined },
      { stepId: "mail", reason: "nobody knows", code: "PAWL2001" },
    );
  }),
  rewritten("rewritten-sealed", "another amount, with every hash and link made again, under the key", ["seals"], { key }, cheaper),
  rewritten("forged-seal", "a seal that says something else than what was signed", ["seals"], { key }, otherStatement),
  rewritten("rewritten-witnessed", "the same, beside the heads that a witness kept", ["witness"], { witness }, cheaper),
  rewritten("cut-off-witnessed", "the last Commit is gone, beside the heads that a witness kept", ["witness"], { witness }, withoutEnd),
];

const ofLine = (name: string, story: string, fails: readonly string[], change: Change): Forgery => ({
  ...plain(name, story, fails, change),
  ofLine: true,
});
/** The archives of lines of runs. */
export const runChainForgeries: readonly Forgery[] = [
  ofLine("line-without-a-run", "the log of the run that was retried is gone, and the proof says once", ["line", "verdict"], (f) => {
    withoutRelative(f);
    f.members.set("proof.json", f.members.get("proof.json")!.replaceAll("at-least-once", "once"));
  }),
  ofLine("line-with-a-run-missing", "the same, and the run is said to be missing", ["verdict"], (f) => {
    f.manifest["line"].missing.push({ runId: withoutRelative(f), reason: "absent" });
  }),
  ofLine("line-run-changed", "another amount in the log of the run that was retried", ["line"], (f) => {
    inRelative(f, (r) => void (r.pieces[0]!.shown!["payload"] = r.pieces[0]!.shown!["payload"].replace("500", "5")));
  }),
  ofLine("line-says-once", "the proof says once of what two runs sent", ["verdict"], (f) => {
    f.members.set("proof.json", f.members.get("proof.json")!.replaceAll("at-least-once", "once"));
  }),
];

const superstep = (f: Forged, n: number): any =>
  f.pieces.find((p) => p.event["eventType"] === "pawl.Superstep" && p.payload.n === n)!.payload;
/** The archives of state graphs. */
export const graphForgeries: readonly Forgery[] = [
  rechained("graph-other-update", "another value that an item returned, with every hash and link made again", ["supersteps"], (f) => {
    superstep(f, 1).items[1].update.notes.text = "of nothing";
  }),
  rechained("graph-other-set", "another value of a reducer, the same way", ["supersteps"], (f) => {
    superstep(f, 1).set.longest = "of cccc";
  }),
  rechained("graph-other-next", "another node that comes next, the same way", ["supersteps"], (f) => {
    superstep(f, 1).frontier[0].node = "tidy";
  }),
  rechained("graph-other-key", "another key, the same way", ["supersteps"], (f) => {
    superstep(f, 2).key = superstep(f, 1).key;
  }),
];

/** What nobody can see in an archive alone, and the verifier says so. */
export const undetectedForgeries: readonly Forgery[] = [
  rewritten("rewritten-unsealed", "another amount, with every hash and link made again, and nobody asks for seals", [], {}, cheaper),
  rewritten("end-time", "the time of the last Commit, an hour later than its end states", [], {}, (f) => {
    const { stateVersion } = f.pieces.at(-1)!.event;
    for (const { event } of f.pieces) if (event["stateVersion"] === stateVersion) event["persistedAt"] = later(event["persistedAt"], hour);
  }),
  plain("head-time", "the time of the last Commit, which only the next one seals", [], (f) => {
    const { stateVersion } = f.pieces.at(-1)!.event;
    for (const { event } of f.pieces)
      if (event["stateVersion"] === stateVersion) event["persistedAt"] = later(event["persistedAt"], 60_000);
    f.members.delete("ledger.jsonl");
  }),
  rechained("unknown-parts", "types, kinds and fields of a later version", [], (f) => {
    insertAfter(f, find(f, "RunPaused"), { eventType: "shop.Visited", stepId: undefined }, { by: "a later version" });
    find(f, "StepStarted", "nap").payload["kind"] = "hologram";
    for (const p of f.pieces) p.event["later"] = { anything: true };
    f.manifest["later"] = true;
  }),
];
