// `pawl webhooks` and `pawl deliver` as real processes, with a receiver on loopback: what they print, what they never print, and
// that a service ends in order when it is asked to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { verifyWebhook } from "../../src/webhooks.ts";
import { receiver, type Receiver } from "../webhooks/receiver.ts";
import { killCommands, CliFolder, quickFile } from "./pawl-process.ts";

let to: Receiver | undefined;
afterEach(async () => {
  await to?.close();
  await killCommands();
});

it("an endpoint is added, tried, delivered to, rotated, paused and removed; its secret is printed once", { timeout: 120_000 }, async () => {
  let answer = 200;
  to = await receiver(() => answer);
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("init");
  const added = await place.pawl("webhooks", "add", to.url, "--id", "shop", "--event", "pawl.run.*", "--allow-insecure", "--attempts", "1");
  expect([added.code, added.out]).toEqual([0, expect.stringMatching(/^whsec_[\w+/=]+\n$/)]);
  expect(added.err).toContain(`endpoint shop: ${to.url}`);
  const secret = added.out.trim();

  const tested = await place.pawl("webhooks", "test", "shop", "--allow-insecure", "--allow-private");
  expect([tested.code, tested.err]).toEqual([0, "delivered (200)\n"]);
  expect((await place.pawl("webhooks", "test", "shop", "--allow-insecure")).code, "a private address").toBe(9);

  expect((await place.pawl("run", "./quick.ts", "--id", "q-1")).code).toBe(0);
  const deliver = ["deliver", "--once", "--allow-insecure", "--allow-private"];
  expect(await place.pawl(...deliver)).toEqual({ code: 0, out: "", err: "" });
  expect(to.requests.map((r) => r.event.type)).toEqual(["pawl.webhook.test", "pawl.run.started", "pawl.run.completed"]);
  for (const r of to.requests) expect(verifyWebhook(r.headers, r.body, secret).id).toBe(r.event.id);

  answer = 500;
  expect((await place.pawl("run", "./quick.ts", "--id", "q-2")).code).toBe(0);
  const given = await place.pawl(...deliver, "--jsonl");
  expect(
    given.out
      .trim()
      .split("\n")
      .map((l) => (JSON.parse(l) as { code: string }).code),
  ).toEqual(["PAWL4038", "PAWL4038"]);
  const { deliveries } = await place.json<{ deliveries: { state: string; eventType: string }[] }>("webhooks", "deliveries", "shop");
  expect(deliveries.map((d) => `${d.state} ${d.eventType}`).toSorted()).toEqual([
    "dead RunCompleted",
    "dead RunStarted",
    "delivered RunCompleted",
    "delivered RunStarted",
  ]);
  answer = 200;
  expect(await place.json("webhooks", "replay", "shop", "--dead")).toEqual({ runs: 1 });
  await place.pawl(...deliver);
  expect(await place.json("webhooks", "dead", "shop")).toEqual({ deliveries: [] });

  const rotated = await place.pawl("webhooks", "rotate", "shop", "--scheme", "ed25519");
  expect(rotated.out).toMatch(/^whpk_/);
  const paused = await place.json("webhooks", "pause", "shop", "--reason", "holiday");
  expect(paused.endpoint).toMatchObject({ paused: { reason: "holiday" }, keys: [{ scheme: "ed25519" }, { scheme: "hmac" }] });
  const shown = [await place.pawl("webhooks", "list"), await place.pawl("webhooks", "list", "--json")];
  expect(shown[0]?.out).toContain("paused: holiday");
  for (const args of [["resume", "shop", "--json"], ["remove", "shop"], ["list"]]) shown.push(await place.pawl("webhooks", ...args));
  const refused = await place.all([
    ["webhooks", "pause", "shop"],
    ["webhooks", "nonsense"],
    ["webhooks", "add"],
    ["webhooks", "add", "ftp://example.com"],
    ["webhooks", "replay", "shop"],
  ]);
  expect(refused.map((e) => e.code)).toEqual([4, 2, 2, 2, 2]);
  expect(JSON.stringify([...shown, ...refused])).not.toMatch(/whsec_|whsk_/);
});

it("the service delivers while runs go on, and ends in order when it is interrupted", { timeout: 120_000 }, async () => {
  to = await receiver();
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("init");
  await place.pawl("webhooks", "add", to.url, "--allow-insecure", "--secret", "key");
  place.write("key", `whsec_${Buffer.alloc(32, 7).toString("base64")}\n`);
  expect((await place.pawl("webhooks", "add", to.url, "--allow-insecure", "--secret", "key")).out.trim()).toBe(
    readFileSync(join(place.dir, "key"), "utf8").trim(),
  );
  const service = place.start(["deliver", "--allow-insecure", "--allow-private"]);
  await service.saw("delivering from");
  await place.pawl("run", "./quick.ts");
  while (to.requests.length < 6) await new Promise((resolve) => setTimeout(resolve, 10));
  service.child.kill("SIGTERM");
  expect(await service.ended).toMatchObject({ code: 0, out: "" });
  expect(to.requests.map((r) => r.event.type).at(-1)).toBe("pawl.run.completed");
});
