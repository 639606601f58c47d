// The command line on a store and over a server: each command prints the same and ends with the same exit code. Reads are compared on the same runs; writes are made
// on a run of each side's own. Commands that need the store itself say so.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine } from "../../src/index.ts";
import { connect } from "../../src/client.ts";
import { server, type PawlServer } from "../../src/server.ts";
import { CliFolder, killCommands, type Ended } from "../cli/pawl-process.ts";
import { shop } from "./programs/shop.ts";

let folder: CliFolder;
let api: PawlServer;
let url: string;
beforeAll(async () => {
  folder = new CliFolder();
  const store = `sqlite:${join(folder.dir, ".pawl/state.db")}`;
  await folder.pawl("init");
  const app = await engine({ store, workflows: shop, log: () => {} });
  const client = await connect({ store });
  await client.start({ workflow: "order", input: { id: "read" }, id: "read", tags: { shop: "bern" } });
  await client.start({ workflow: "gated", input: "read", id: "gated" });
  for (const id of ["failed", "failed-1", "failed-2"]) await client.start({ workflow: "fails", input: 1, id });
  for (const id of ["of-store", "of-server", "end-store", "end-server"]) {
    await client.start({ workflow: "order", input: { id }, id });
    await client.start({ workflow: "gated", input: id, id: `gated-${id}` });
  }
  await client.start({ workflow: "echo", input: { n: 1 }, id: "order/42 ü" });
  for (const id of ["failed", "failed-1", "failed-2", "order/42 ü"]) await client.waitForEnd(id);
  while ((await client.decisions()).length < 5) await client.waitForChange(undefined, { timeoutMs: 50 });
  for (const id of ["read", "of-store", "of-server", "end-store", "end-server"])
    while ((await client.view(id, "status")) !== "waiting") await client.waitForChange(undefined, { timeoutMs: 50 });
  await client.webhooks.add({ id: "hooks", url: "https://example.org/hooks" });
  await app.stop();
  await client.close();
  api = await server({ store, tenant: "default/default/default", auth: "open", log: () => {} });
  url = (await api.listen({ port: 0 })).url;
});
afterAll(async () => {
  await killCommands();
  await api.stop();
});

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\b\d+(\.\d+)?(ms|s|m|h)( ago)?\b|\d\d:\d\d:\d\d/g;
const bare = (text: string): string => text.replaceAll(ids, "ID").replaceAll(times, "TIME").replaceAll(/ {2,}/g, "  ");
const onBoth = async (command: readonly string[]): Promise<[Ended, Ended]> => {
  const [store, over] = await folder.all([command, [...command, "--url", url]]);
  return [store!, over!];
};

/** Exit codes of commands that end with another one than 0: two commands that both fail for a reason of their own show nothing. */
const exits: Readonly<Record<string, number>> = {
  "inspect nobody": 4,
  "events nobody --jsonl": 4,
  decisions: 8,
  "decisions --json": 8,
  "webhooks deliveries nobody": 4,
  "run nothing": 4,
  'run order --input {"id":7}': 2,
  "run fails --id failed --input 1 --wait --json": 6,
  'update read address --payload {"city":5} --json': 5,
  "signal read nothing --json": 2,
  "signal read approved --signal-id  --json": 2,
  "run echo --id new-MINE --input 2": 5,
  "pause end-MINE --reason lunch --yes --json": 5,
  "cancel end-MINE --yes --json": 5,
};

describe("the command line over a server", () => {
  const reads: readonly (readonly string[])[] = [
    ["ls"],
    ["ls", "--json"],
    ["ls", "failed", "--json"],
    ["inspect", "read"],
    ["inspect", "read", "--json"],
    ["inspect", "failed"],
    ["inspect", "order/42 ü", "--json"],
    ["inspect", "nobody"],
    ["events", "failed"],
    ["events", "read", "--jsonl"],
    ["events", "nobody", "--jsonl"],
    ["effects"],
    ["effects", "charge/read", "--json"],
    ["decisions"],
    ["decisions", "--json"],
    ["proof", "read"],
    ["proof", "charge/read", "--json"],
    ["alerts", "--json"],
    ["consumers", "--json"],
    ["workflows"],
    ["workflows", "--json"],
    ["webhooks", "list"],
    ["webhooks", "list", "--json"],
    ["webhooks", "deliveries", "hooks", "--json"],
    ["webhooks", "deliveries", "nobody"],
    ["token", "ls", "--json"],
    ["retry", "failed", "--dry-run"],
    ["retry", "failed", "--dry-run", "--json"],
    ["signal", "read", "approved", "--dry-run", "--json"],
    ["pause", "read", "--dry-run", "--json"],
    ["run", "nothing"],
    ["run", "order", "--input", '{"id":7}'],
    ["run", "fails", "--id", "failed", "--input", "1", "--wait", "--json"],
    ["update", "read", "address", "--payload", '{"city":5}', "--json"],
    ["signal", "read", "nothing", "--json"],
    ["signal", "read", "approved", "--signal-id", "", "--json"],
  ];
  it.each(reads.map((command) => [command.join(" "), command] as const))("pawl %s", async (_, command) => {
    const [store, over] = await onBoth(command);
    expect({ code: over.code, out: ages(over.out) }, over.err).toEqual({ code: store.code, out: ages(store.out) });
    expect(store.code, store.err).toBe(exits[command.join(" ")] ?? 0);
    if (store.code !== 0) expect(codeIn(over.err)).toBe(codeIn(store.err));
  });

  const writes: readonly (readonly string[])[] = [
    ["run", "echo", "--id", "new-MINE", "--input", "1"],
    ["run", "echo", "--id", "new-MINE", "--input", "2"],
    ["run", "echo", "--id", "key-MINE", "--key", "k-MINE", "--json"],
    ["signal", "of-MINE", "approved", "--payload", '{"by":"ann"}', "--signal-id", "s", "--json"],
    ["signal", "of-MINE", "approved", "--payload", '{"by":"bob"}', "--signal-id", "s"],
    ["pause", "end-MINE", "--reason", "lunch", "--yes"],
    ["pause", "end-MINE", "--reason", "lunch", "--yes", "--json"],
    ["resume", "end-MINE", "--yes"],
    ["terminate", "end-MINE", "--reason", "enough", "--yes"],
    ["cancel", "end-MINE", "--yes", "--json"],
    ["retry", "end-MINE", "--yes"],
    ["resolve", "gated-of-MINE", "--approve", "--by", "local", "--reason", "looks right", "--json"],
    ["webhooks", "add", "https://example.org/x", "--id", "hook-MINE"],
    ["webhooks", "pause", "hook-MINE", "--json"],
    ["webhooks", "resume", "hook-MINE", "--json"],
    ["token", "create", "--subject", "MINE", "--role", "viewer", "--json"],
  ];
  it("writes, each on a run of its own", async () => {
    for (const command of writes) {
      const of = (side: string): string[] => command.map((word) => word.replaceAll("MINE", side));
      const [store, over] = await folder.all([of("store"), [...of("server"), "--url", url]]);
      expect.soft(store!.code, `${command.join(" ")}: ${store!.err}`).toBe(exits[command.join(" ")] ?? 0);
      const plain = (e: Ended, side: string): unknown => ({ code: e.code, out: masked(bare(e.out.replaceAll(side, "MINE"))) });
      expect.soft(plain(over!, "server"), `${command.join(" ")}: ${over!.err}`).toEqual(plain(store!, "store"));
    }
  });

  it("who answers is the server's to say: --by is needed on the store only", async () => {
    const answer = ["resolve", "gated-end-server", "--approve", "--reason", "looks right", "--json"];
    const store = await folder.pawl(...answer);
    expect([store.code, codeIn(store.err)]).toEqual([2, "PAWL4011"]);
    const over = await folder.pawl(...answer, "--url", url);
    expect(over.code, over.err).toBe(0);
    const app = await engine({ store: `sqlite:${join(folder.dir, ".pawl/state.db")}`, workflows: shop, log: () => {} });
    await (
      await app.get(
        shop.find((w) => w.name === "gated")!,
        "gated-end-server",
      )
    )?.result();
    await app.stop();
    const log = await folder.pawl("events", "gated-end-server", "--jsonl");
    expect(log.out).toContain('"by":"local"');
    const unsaid = await folder.pawl("resolve", "gated-end-server", "--approve", "--url", url);
    expect([unsaid.code, codeIn(unsaid.err)]).toEqual([2, "PAWL4011"]);
    expect(unsaid.err).not.toContain("--by");
  });

  it.each([
    ["doctor", "--verify"],
    ["doctor", "--repair"],
    ["export", "--all"],
    ["import", "runs.jsonl"],
    ["gc", "--keep-runs", "1d"],
    ["hold", "read", "--by", "ann", "--reason", "case 7"],
    ["release", "read", "--by", "ann", "--reason", "case 7"],
    ["project", "--once"],
    ["deliver", "--once"],
    ["migrate"],
    ["witness", "w.jsonl"],
    ["run", "./order.ts"],
  ])("pawl %s %s needs the store itself, and says so", async (...command) => {
    writeFileSync(join(folder.dir, "runs.jsonl"), "{}\n");
    writeFileSync(join(folder.dir, "order.ts"), "export {};\n");
    const { code, err } = await folder.pawl(...(command as string[]), "--url", url);
    expect([code, codeIn(err)], err).toEqual([2, "PAWL4086"]);
  });

  it("the server and the token come from the environment too, and --store goes before", async () => {
    const named = await folder.start(["ls", "--json"], { PAWL_URL: url }).ended;
    expect([named.code, named.out]).toEqual([0, (await folder.pawl("ls", "--json")).out]);
    const nobody = { PAWL_URL: "http://127.0.0.1:1" };
    expect((await folder.start(["ls", "--store", "sqlite:.pawl/state.db"], nobody).ended).code).toBe(0);
    for (const [args, env, wanted] of [
      [["ls", "--url", url, "--store", "x.db"], {}, "PAWL4011"],
      [["ls", "--url", url, "--tenant", "a/b/c"], {}, "PAWL4011"],
      [["ls", "--token", "t"], {}, "PAWL4011"],
      [["ls", "--url", "http://pawl.example.com"], {}, "PAWL5042"],
      [["ls"], { PAWL_URL: url, PAWL_TOKEN_FILE: "none" }, "PAWL4011"],
    ] as const)
      expect(codeIn((await folder.start(args, env).ended).err), args.join(" ")).toBe(wanted);
  });
});

/** How long ago something was depends on when one asks. */
function ages(out: string): string {
  return out.replaceAll(/\b[\d.]+(ms|s|m)( ago)?/g, "TIME").replaceAll(/ {2,}/g, "  ");
}

/** A secret is a new one each time; a client on the store has no name. */
function masked(out: string): string {
  return out.replaceAll(/whsec_\S+|pawl_[A-Za-z0-9_-]+|"tokenId": ?"[^"]+"/g, "SECRET").replaceAll(',"createdBy":"local"', "");
}

function codeIn(err: string): string | undefined {
  return /\bPAWL\d{4}\b|SignalAcceptanceIndeterminate/.exec(err)?.[0];
}
