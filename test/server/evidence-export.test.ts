// Evidence as a caller of the server gets it: which members it has, that it is checked offline and by whose signature, and the four ways in which a
// payload may leave. What is needed to continue a run is not removed, and what is removed leaves its hash.
import { createHash, generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { connect } from "../../src/client.ts";
import { verify } from "../../src/verify.ts";
import { archiveOf as packed, membersOf } from "../evidence/archive.ts";
import { proves } from "../support/proves.ts";
import { serve, type Served } from "./serve.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pay = workflow(
  { name: "pay", input: z.object({ card: z.string(), cents: z.number() }), signals: { go: z.string() } },
  async (ctx, order) => {
    const charge = await ctx.step("charge", () => ({ id: "ch-1", card: order.card }), { key: "k-1", dedup: "1d" });
    if (order.cents > 100) await ctx.receive("go");
    return ctx.step("mail", () => `${charge.id} mailed`, { repeatable: true });
  },
);
const { privateKey, publicKey } = generateKeyPairSync("ed25519", {
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const home = mkdtempSync(join(tmpdir(), "pawl-export-"));
const store = `sqlite:${join(home, "s.db")}`;
const card = "4242-canary";
let s: Served;
beforeAll(async () => {
  s = await serve({ on: store, workflows: [pay], signers: { ops: privateKey } });
  await s.post("/v1/runs", { workflow: "pay", id: "o-1", input: { card, cents: 5 } });
  await s.post("/v1/runs", { workflow: "pay", id: "o-2", input: { card, cents: 500 } });
  await s.get("/v1/runs/o-1/result?wait=30");
});
afterAll(async () => {
  await s.close();
  rmSync(home, { recursive: true, force: true });
});
const archiveOf = async (id: string, body: object = {}): Promise<Uint8Array> => {
  const answer = await fetch(`${s.url}/v1/runs/${id}/evidence`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
};
const payloadsOf = (archive: Uint8Array): string => membersOf(archive).get("payloads.jsonl") ?? "";

describe("an archive of evidence", () => {
  it("has manifest, events, ledger and proof, names the digest of each, and is checked without a store", proves("AX-31"), async () => {
    const archive = await archiveOf("o-1", { signer: "ops" });
    const members = membersOf(archive);
    const manifest = JSON.parse(members.get("manifest.json")!) as {
      readonly events: number;
      readonly format: number;
      readonly madeBy: object;
      readonly run: object;
      readonly head: { readonly runSeq: number; readonly link: string };
      readonly members: readonly { readonly name: string; readonly sha256: string }[];
    };
    for (const name of ["events.jsonl", "payloads.jsonl", "effects.jsonl", "ledger.jsonl", "proof.json"])
      expect(manifest.members.find((m) => m.name === name)?.sha256).toBe(createHash("sha256").update(members.get(name)!).digest("hex"));
    const events = members
      .get("events.jsonl")!
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { runSeq: number; link: string });
    expect([manifest.events, manifest.head]).toMatchObject([events.length, { runSeq: events.at(-1)!.runSeq, link: events.at(-1)!.link }]);
    expect(manifest).toMatchObject({
      format: expect.any(Number) as number,
      madeBy: { name: "pawl" },
      run: { workflowId: "o-1", status: "COMPLETED" },
    });
    const report = verify(archive, { signer: publicKey });
    expect(report.ok, JSON.stringify(report.checks)).toBe(true);
    for (const check of ["signature", "digests", "chain", "ledger", "verdict"])
      expect(report.checks.find((c) => c.check === check)?.state, `${check} of ${report.checks.map((c) => c.check).join()}`).toBe("pass");
  });

  it(
    "fails where a member differs, where the signature is another's, and where a key is given and there is none",
    proves("AX-31"),
    async () => {
      const [signed, plain] = [await archiveOf("o-1", { signer: "ops" }), await archiveOf("o-1")];
      expect(verify(plain).ok).toBe(true);
      expect(verify(plain, { signer: publicKey }).ok).toBe(false);
      const other = generateKeyPairSync("ed25519", {
        privateKeyEncoding: { type: "pkcs8", format: "pem" },
        publicKeyEncoding: { type: "spki", format: "pem" },
      });
      expect(verify(signed, { signer: other.publicKey }).ok).toBe(false);
      // One sign of any member, with the manifest as it was, and with a manifest that was made again for it.
      for (const listed of [false, true]) {
        for (const [member, was, is] of [
          ["events.jsonl", '"stepId":"charge"', '"stepId":"change"'],
          ["payloads.jsonl", "ch-1", "ch-2"],
          ["ledger.jsonl", '"completed"', '"failed"'],
          ["proof.json", '"once"', '"never"'],
        ] as const) {
          const members = new Map(membersOf(plain));
          expect(members.get(member), `${was} in ${member}`).toContain(was);
          members.set(member, members.get(member)!.replace(was, is));
          expect(verify(packed(members, { listed })).ok, `${member}, ${listed ? "listed" : "not listed"}`).toBe(false);
        }
      }
    },
  );
});

describe("a payload leaves", () => {
  it("whole, masked, without the value, as a digest, or not at all; the chain holds each time", proves("AX-32"), async () => {
    const redact = ["**.card"];
    const archives = {
      whole: await archiveOf("o-1"),
      mask: await archiveOf("o-1", { redact }),
      remove: await archiveOf("o-1", { redact, redactAs: "remove" }),
      hash: await archiveOf("o-1", { redact, redactAs: "hash" }),
      none: await archiveOf("o-1", { payloads: false }),
    };
    for (const [name, archive] of Object.entries(archives)) {
      expect(verify(archive).ok, name).toBe(true);
      const text = [...membersOf(archive).values()].join("\n");
      expect(text.includes(card), name).toBe(name === "whole");
      expect(text.includes("ch-1"), name).toBe(name !== "none");
    }
    expect(payloadsOf(archives.mask)).toContain("[redacted]");
    expect(payloadsOf(archives.remove)).not.toContain("card");
    const hashes = payloadsOf(archives.hash).match(/\[redacted sha256:[0-9a-f]{64}\]/g) ?? [];
    // Each payload has a salt of its own: nobody sees that two values are equal, and nobody can guess one.
    expect(hashes.length).toBeGreaterThan(1);
    expect(new Set(hashes).size).toBeGreaterThan(1);
    expect(hashes.join()).not.toContain(createHash("sha256").update(JSON.stringify(card)).digest("hex"));
    expect(await archiveOf("o-1", { redact, redactAs: "hash" })).toEqual(archives.hash);
    const bad = await s.post("/v1/runs/o-1/evidence", { redact, redactAs: "shout" });
    expect([bad.status, bad.json.page]).toEqual([422, "PAWL4011"]);
  });

  it("what a run needs to continue is kept; what is removed leaves its hash behind", proves("AX-32"), async () => {
    const local = await connect({ store });
    const done = await local.applyRetention({ keepPayloads: 0 });
    expect(done).toMatchObject({ expired: 1 });
    // o-2 waits: its log is whole, and it continues from it.
    const waiting = await local.events("o-2");
    expect(waiting.filter((e) => e.eventType !== "RunQueued").every((e) => e.payload !== undefined)).toBe(true);
    await s.post("/v1/runs/o-2/signals", { name: "go", payload: "now" });
    expect((await s.get("/v1/runs/o-2/result?wait=30")).json.result).toBe("ch-1 mailed");
    const gone = membersOf(await archiveOf("o-1"));
    expect([...gone.values()].join("\n")).not.toContain(card);
    expect(gone.get("events.jsonl")!.match(/"payloadHash":"[0-9a-f]{64}"/g)!.length).toBeGreaterThan(3);
    expect(verify(await archiveOf("o-1")).ok).toBe(true);
    await local.close();
  });
});
