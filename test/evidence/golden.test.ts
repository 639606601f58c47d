// The golden archives against the verifier: true ones verify, each lie is found by exactly the checks that it breaks, and no
// field of an event can be changed without being seen, but for what the verifier says is not sealed. Whoever writes a verifier
// of their own has the same files and the same expectations (golden/expected.json).
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runTable } from "../../src/core/contract.ts";
import { validateWrite } from "../../src/events/envelope.ts";
import { foldLog } from "../../src/events/fold.ts";
import { zipOf } from "../../src/platform/zip.ts";
import { verify, type Verification } from "../../src/verify.ts";
import { archiveOf, membersOf } from "./archive.ts";
import { find, forge, insertAfter, type Forged } from "./forge.ts";
import { evidenceKey, goldenDir } from "./golden.ts";
import { forgeries, graphForgeries, runChainForgeries, undetectedForgeries } from "./forgeries.ts";
import { proves } from "../support/proves.ts";

const golden = (name: string): Uint8Array => readFileSync(`${goldenDir}/${name}`);
const failing = (v: Verification): string[] => v.checks.filter((c) => c.state === "fail").map((c) => c.check);
const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split("\n")
    .map((l) => JSON.parse(l) as Record<string, unknown>);
const expected = JSON.parse(readFileSync(`${goldenDir}/expected.json`, "utf8")) as Record<
  string,
  { story: string; fails: string[]; key?: string; witness?: string }
>;
const beside = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : readFileSync(`${goldenDir}/${name}`, "utf8");

describe("golden archives", () => {
  for (const [name, { story, fails, key, witness }] of Object.entries(expected)) {
    const ids = ["chain", "payloads", "seals", "witness", "supersteps"].some((c) => fails.includes(c)) ? ["K22"] : [];
    it(`${name} (${story}) ${fails.length === 0 ? "verifies" : `fails ${fails.join(", ")} and nothing else`}`, proves(...ids), () => {
      const v = verify(golden(name), { key: beside(key), witness: beside(witness) });
      expect(failing(v).toSorted()).toEqual(fails.toSorted());
      expect(v.ok).toBe(fails.length === 0);
    });
  }

  it("every file is expected, every expectation is one of the lies, and every check is seen to fail", () => {
    expect(
      readdirSync(goldenDir)
        .filter((n) => n.endsWith(".zip"))
        .toSorted(),
    ).toEqual(Object.keys(expected).toSorted());
    for (const l of [...forgeries, ...runChainForgeries, ...graphForgeries, ...undetectedForgeries])
      expect(expected[`${l.name}.zip`]).toEqual({ story: l.story, fails: l.fails, ...l.sealed });
    const all = verify(golden("good.zip")).checks.map((c) => c.check);
    expect([...new Set([...forgeries, ...runChainForgeries, ...graphForgeries].flatMap((l) => l.fails))].toSorted()).toEqual(
      all.toSorted(),
    );
  });

  it("a signature is pinned with a key: the right one passes, another one and a missing signature fail", () => {
    expect(verify(golden("good-signed.zip"), { signer: evidenceKey.public })).toMatchObject({
      ok: true,
      signedBy: evidenceKey.signer.publicKey,
    });
    expect(failing(verify(golden("good.zip"), { signer: evidenceKey.public }))).toEqual(["signature"]);
    expect(readFileSync(`${goldenDir}/signer.pub.pem`, "utf8")).toBe(evidenceKey.public);
  });

  it("the time of the head's Commit is not sealed, and the verifier says so", proves("K22"), () => {
    expect(verify(golden("head-time.zip")).unsealed[0]).toMatch(/^persistedAt of events \d+ to \d+: the end states no time/);
    expect(verify(golden("end-time.zip")).unsealed[0]).toMatch(
      /^persistedAt of events \d+ to \d+: it is 3600\d{3} ms after the time that the/,
    );
    const { unsealed } = verify(golden("good-sealed.zip"), { key: beside("signer.pub.pem") });
    expect(unsealed).toEqual([]);
  });

  it("without the key a sealed archive says that its seals were not checked, and what the chain alone does not show", proves("K22"), () => {
    for (const name of ["good-sealed.zip", "rewritten-unsealed.zip", "good.zip"]) {
      const v = verify(golden(name));
      expect(v.checks.find((c) => c.check === "seals")!.detail).toMatch(
        name === "good.zip" ? "the log is not sealed" : /\d seals, not checked/,
      );
      expect(v.assumed.join()).toContain("nobody who can write to the store rewrote the log");
    }
  });

  it("what a later version adds is passed over by every reader: unknown types, kinds and fields are no failure", proves("P-36"), () => {
    const members = membersOf(golden("unknown-parts.zip"));
    const events = linesOf(members.get("events.jsonl")!);
    const payloads = new Map(linesOf(members.get("payloads.jsonl")!).map((p) => [p["runSeq"], p["payload"]]));
    expect(events.map((e) => e["eventType"])).toContain("shop.Visited");
    expect(payloads.get(events.find((e) => e["stepId"] === "nap")!["runSeq"])).toContain('"kind":"hologram"');
    expect(events.every((e) => e["later"] !== undefined)).toBe(true);
    expect(failing(verify(golden("unknown-parts.zip")))).toEqual([]);
    const records = events.map((e) => ({ ...e, payload: payloads.get(e["runSeq"]) ?? null, stepId: e["stepId"] ?? null }) as never);
    expect(foldLog(records)).toMatchObject({ status: "COMPLETED", problems: [] });
    for (const e of events) expect(validateWrite(e)).toMatchObject({ ok: true });
  });
});

describe("nothing can be changed", () => {
  const good = golden("good.zip");

  it("no field of any event can be changed without being seen, except persistedAt of the head's Commit", proves("K22"), () => {
    const events = linesOf(membersOf(good).get("events.jsonl")!);
    const headVersion = events.at(-1)!["stateVersion"];
    const other = (x: unknown): unknown => {
      if (typeof x === "number") return x + 1;
      const text = String(x);
      if (/^\d{4}-\d\d-/.test(text)) return new Date(Date.parse(text) + 1).toISOString();
      const at = text.length - 1;
      return text.slice(0, at) + (text[at] === "1" ? "2" : "1");
    };
    const ofRun = new Set(["runId", "tenantId", "projectId", "environmentId", "planId", "planVersion"]);
    let tried = 0;
    for (const [i, e] of events.entries()) {
      for (const field of Object.keys(e)) {
        const sealed = field !== "persistedAt" || e["stateVersion"] !== headVersion;
        const found = failing(verify(forge(good, (f) => void (f.pieces[i]!.event[field] = other(e[field])))));
        const by = ofRun.has(field) ? "envelopes" : field === "persistedAt" ? /^(chain|order)$/ : "chain";
        if (sealed) expect(found, `${field} of event ${i + 1}`).toContainEqual(expect.stringMatching(by));
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(400);
  });

  it("an eventId that is there twice is seen at its second place, one that only begins like another is no problem", proves("D-045"), () => {
    const ids = (change: (first: string) => string): Verification =>
      verify(forge(good, (f) => void (f.pieces[4]!.event["eventId"] = change(f.pieces[1]!.event["eventId"] as string)), { rechain: true }));
    const twice = ids((first) => first);
    expect(failing(twice)).toEqual(["keys"]);
    expect(twice.checks.find((c) => c.check === "keys")!.at).toEqual([5]);
    expect(failing(ids((first) => `${first.slice(0, 30)}${first.endsWith("000000") ? "111111" : "000000"}`))).toEqual([]);
  });

  it("a key that is there twice is seen, although it is that of its fields", proves("P-12"), () => {
    const twice = verify(
      forge(
        good,
        (f) => {
          const copy = structuredClone(f.pieces[2]!);
          copy.event["eventId"] = "6f1c0a36-1f6e-4c53-9a1c-b6f9a9c1f001"; // its own: nothing but the key is there twice
          f.pieces.splice(3, 0, copy);
        },
        { rechain: true },
      ),
    );
    expect(twice.checks.find((c) => c.check === "keys")).toMatchObject({ state: "fail", at: [4] });
  });

  it("the order of a log is judged by itself, also where every link and key is right", proves("K22", "P-06", "P-12"), () => {
    const at = (f: Forged, i: number): Record<string, any> => f.pieces.at(i)!.event;
    const later = (text: unknown, ms: number): string => new Date(Date.parse(String(text)) + ms).toISOString();
    const lies: Record<string, (f: Forged) => void> = {
      "runSeq does not rise": (f) => (at(f, 4)["runSeq"] = at(f, 3)["runSeq"]),
      "stateVersion goes back": (f) => (at(f, -1)["stateVersion"] = at(f, -2)["stateVersion"] - 1),
      "events of one Commit differ in persistedAt": (f) => {
        at(f, -1)["stateVersion"] = at(f, -2)["stateVersion"];
        at(f, -1)["persistedAt"] = later(at(f, -2)["persistedAt"], 1);
      },
      "persistedAt goes back": (f) => {
        at(f, -1)["stateVersion"] = at(f, -2)["stateVersion"] + 1;
        at(f, -1)["persistedAt"] = later(at(f, -2)["persistedAt"], -1);
      },
    };
    for (const [what, lie] of Object.entries(lies)) {
      const v = verify(forge(good, lie, { rechain: "as numbered" }));
      expect(failing(v), what).not.toContain("chain");
      expect(
        v.checks.find((c) => c.check === "order"),
        what,
      ).toMatchObject({ state: "fail", detail: expect.stringContaining(what) });
    }
  });

  it("a send counts from when its effect began, and nothing begins that is not about to be sent", proves("K25"), () => {
    const forged = (change: (f: Forged) => void): Verification => verify(forge(good, change, { rechain: true }));
    const begins = (f: Forged, eventType = "pawl.StepBegins"): void => {
      const started = find(f, "StepStarted", "book");
      insertAfter(f, started, { eventType, stepId: undefined }, { stepId: "book", waitedMs: 70_000 }, 70_000);
    };
    /** Ten seconds after the event behind the start. */
    const again = (f: Forged): void => {
      const facts = { stepId: "book", engineAttemptId: 2, fence: 9 };
      const behind = f.pieces[f.pieces.indexOf(find(f, "StepStarted", "book")) + 1]!;
      insertAfter(f, behind, { eventType: "pawl.StepRedispatched", stepId: undefined }, facts, 10_000);
      find(f, "StepCompleted", "book").event["engineAttemptId"] = 2;
    };
    expect(failing(forged((f) => begins(f)))).toEqual([]);
    const sentAgain = (eventType?: string): Verification => forged((f) => (begins(f, eventType), again(f)));
    expect(failing(sentAgain("pawl.Unknown"))).not.toContain("settle"); // 80 s after its record: nothing of it can still arrive
    expect(failing(sentAgain())).toContain("settle");
    const ended = forged((f) => {
      const done = find(f, "StepCompleted", "book");
      insertAfter(f, done, { eventType: "pawl.StepBegins", stepId: undefined }, { stepId: "book", waitedMs: 1 });
    });
    expect(failing(ended)).toContain("attempts");
  });

  it(
    "the head that the manifest names is the log's last event, by its place and by its link, and nothing is shown that was not sealed",
    proves("K22"),
    () => {
      for (const lie of [{ runSeq: 1 }, { link: "0".repeat(64) }])
        expect(failing(verify(forge(good, (f) => void Object.assign(f.manifest["head"], lie))))).toEqual(["chain"]);
      const silent = linesOf(membersOf(good).get("events.jsonl")!).findIndex((e) => e["payloadHash"] === undefined);
      const shown = (f: Forged): void => void (f.pieces[silent]!.shown = { runSeq: silent + 1, salt: "00", payload: "{}" });
      expect(failing(verify(forge(good, shown)))).toEqual(["payloads"]);
      const stray = (name: string, line: object) => (f: Forged) =>
        void f.members.set(name, `${f.members.get(name) ?? ""}${JSON.stringify({ runSeq: 9_999, ...line })}\n`);
      for (const name of ["effects.jsonl", "operators.jsonl"]) expect(failing(verify(forge(good, stray(name, {}))))).toEqual(["effects"]);
    },
  );

  it(
    "the verifier permits exactly the transitions of the contract, and no runSeq below 1",
    proves("P-15", "D-092", "D-093", "D-094", "D-095", "D-096", "D-097"),
    () => {
      const ways: Record<string, readonly string[]> = {
        none: [],
        PENDING: ["RunQueued"],
        RUNNING: ["RunStarted"],
        PAUSED: ["RunStarted", "RunPaused"],
        COMPLETED: ["RunStarted", "RunCompleted"],
        FAILED: ["RunStarted", "RunFailed"],
        CANCELLED: ["RunStarted", "RunCancelled"],
      };
      const log = (types: readonly string[], first = 1): Verification =>
        verify(
          forge(
            good,
            (f) => {
              const { payloadHash: _, ...start } = find(f, "RunStarted").event;
              f.pieces = types.map((eventType, i) => {
                const eventId = `6f1c0a36-1f6e-4c53-9a1c-b6f9a9c1f00${i}`;
                return { event: { ...start, eventType, eventId, stateVersion: i + 1, runSeq: first + i }, shown: null, payload: null };
              });
            },
            { rechain: "as numbered" },
          ),
        );
      for (const [state, way] of Object.entries(ways))
        for (const [type, { from }] of Object.entries(runTable))
          expect(failing(log([...way, type])).includes("transitions"), `${type} while ${state}`).toBe(
            !(from as readonly string[]).includes(state),
          );
      expect(failing(log(["RunStarted", "RunCompleted"], 0))).toContain("envelopes");
      expect(failing(log(["RunStarted", "RunCompleted"], 1))).toEqual([]);
    },
  );

  it("every payloadHash has its form, whether its payload is shown, redacted or left out", () => {
    for (const name of ["good.zip", "good-redacted.zip", "good-without-payloads.zip"])
      for (const [i, { payloadHash }] of linesOf(membersOf(golden(name)).get("events.jsonl")!).entries())
        for (const other of payloadHash === undefined ? [] : [JSON.stringify(payloadHash).slice(1, -1).toUpperCase(), 7]) {
          const v = verify(forge(golden(name), (f) => void (f.pieces[i]!.event["payloadHash"] = other)));
          expect(v.checks.find((c) => c.check === "envelopes")!.at, `${name} ${i + 1}`).toEqual([i + 1]);
        }
  });

  it("the chain holds whatever signs a type or a stepId is made of", () => {
    for (const eventType of ['shop."Seen"', "shop.back\\slash", "shop.tab\t", "shop.\u007fGröße", "shop.\u{1f43e}", "shop.\u2028"]) {
      const odd = (f: Forged): void => void insertAfter(f, find(f, "RunStarted"), { eventType }, {});
      expect(failing(verify(forge(good, odd, { rechain: true }))), JSON.stringify(eventType)).toEqual([]);
    }
  });

  it("an archive that was cut is none, and no damage and no nonsense makes the verifier throw", () => {
    for (let i = 0; i < 400; i++) {
      const damaged = Buffer.from(good);
      const at = (i * 7_919) % damaged.length;
      damaged[at] = damaged[at]! ^ (1 + (i % 255));
      expect(typeof verify(damaged).ok).toBe("boolean");
    }
    for (const cut of [0, 1, 21, 22, 100, good.length - 1]) expect(verify(good.subarray(0, cut)).ok).toBe(false);
    for (const name of ["events.jsonl", "payloads.jsonl", "effects.jsonl", "operators.jsonl", "ledger.jsonl", "manifest.json"])
      for (const text of ["", "{}\n", "null\n", "[1]\n", "not json\n", '{"runSeq":"x"}\n'])
        expect(
          verify(forge(good, (f) => void f.members.set(name, text), { listed: name !== "manifest.json" })),
          `${name} ${text}`,
        ).toBeDefined();
  });

  it(
    "a zip that shows another log to whoever reads it from its beginning fails: nothing is hidden beside the members",
    proves("K22"),
    () => {
      const end = good.length - 22;
      const directory = Buffer.from(good).readUInt32LE(end + 16);
      const hidden = zipOf([{ name: "events.jsonl", data: Buffer.from("{}\n") }]);
      const local = hidden.subarray(0, Buffer.from(hidden).readUInt32LE(hidden.length - 6));
      const beside = Buffer.concat([good.subarray(0, directory), local, good.subarray(directory)]);
      beside.writeUInt32LE(directory + local.length, beside.length - 6);
      const changed = (at: number): Buffer => {
        const other = Buffer.from(good);
        other[at] = other[at]! ^ 1;
        return other;
      };
      expect(failing(verify(beside))).toEqual(["archive"]);
      expect(failing(verify(Buffer.concat([good, Buffer.from("more")])))).toEqual(["archive"]);
      // Of the first local header: flags, CRC, packed size, size. It begins the file.
      for (const at of [6, 14, 18, 22]) expect(failing(verify(changed(at))), `byte ${at}`).toEqual(["archive"]);
      for (const flag of [1, 8]) {
        const both = Buffer.from(good);
        for (const at of [6, directory + 8]) both[at] = both[at]! | flag;
        expect(failing(verify(both)), `flag ${flag}`).toEqual(["archive"]);
      }
    },
  );

  it("what stands beside the log says what the log says: receivers, names and keys of the ledger, classes of the proof", () => {
    const swap = (name: string, from: string, to: string): string[] =>
      failing(verify(forge(good, (f) => void f.members.set(name, f.members.get(name)!.replace(from, to)))));
    expect(swap("effects.jsonl", '"key":"order-1"', '"key":"order-1","receiver":"another bank"')).toEqual(["effects"]);
    expect(swap("ledger.jsonl", '"name":"mail"', '"name":"post"')).toEqual(["ledger"]);
    expect(swap("ledger.jsonl", '"key":"order-1"', '"key":"order-2"')).toEqual(["ledger"]);
    expect(swap("proof.json", '"class": "KEYED"', '"class": "ATOMIC"')).toEqual(["verdict"]);
    const twice = (f: Forged): void => void f.members.set("ledger.jsonl", f.members.get("ledger.jsonl")!.repeat(2));
    expect(failing(verify(forge(good, twice)))).toEqual(["ledger"]);
  });

  it("a manifest or a proof of another shape is a failure with a sentence, not an exception", () => {
    for (const members of [[null], [7], {}, "x"]) {
      const files = new Map(membersOf(good));
      files.set("manifest.json", JSON.stringify({ ...(JSON.parse(files.get("manifest.json")!) as object), members }));
      expect(failing(verify(archiveOf(files, { listed: false })))).toContain("archive");
    }
    for (const text of ["null", "{}", '{"verdict":"once","effects":[null]}'])
      expect(verify(forge(good, (f) => void f.members.set("proof.json", text))).checks[0]).toMatchObject({
        state: "fail",
        detail: "a member is not what its name says",
      });
  });
});
