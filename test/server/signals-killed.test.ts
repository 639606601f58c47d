// A server that is killed between the acceptance of a signal and its answer: the request is sent again, by the HTTP client and the command line
// of their own accord, and over any transport it is answered with the first acceptance. One signal is stored.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { killCommands } from "../cli/pawl-process.ts";
import { dropDatabase, freshDatabase } from "../mysql/bundle.ts";
import { dropSchema, freshPlace } from "../postgres/bundle.ts";
import { type Child, killChildren, startChild } from "../support/child-process.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { startKillingProxy } from "./killing-proxy.ts";
import { type Transports, transportsTo } from "./transports.ts";

interface StorePlace {
  readonly url: string;
  remove(): void | Promise<void>;
}
const sqlitePlace = async (): Promise<StorePlace> => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-killed-"));
  return { url: `sqlite:${join(dir, "s.db")}`, remove: () => rmSync(dir, { recursive: true, force: true }) };
};
const postgresPlace = async (): Promise<StorePlace> => {
  const { url, schema } = await freshPlace();
  return { url, remove: () => dropSchema(url, schema) };
};
const mysqlPlace = async (): Promise<StorePlace> => {
  const url = await freshDatabase(await sharedMariadb());
  return { url, remove: () => dropDatabase(url) };
};
// A memory store ends with its process: there is nothing to come back to.
const places: readonly (readonly [string, () => Promise<StorePlace>])[] = [
  ["sqlite", sqlitePlace],
  ["postgres", postgresPlace],
  ...(skipsWithoutMariadb() ? [] : ([["mysql", mysqlPlace]] as const)),
];

afterEach(async () => {
  await killCommands();
  await killChildren();
});

describe.each(places)("a server killed before it answers, on %s", (_, make) => {
  it("a signal that was not stored yet is nowhere, and the request that is sent again is the first", proves("W-077"), async () => {
    const place = await make();
    const local = await connect({ store: place.url });
    const store = await openStore(place.url, systemPlatform());
    const { runId } = await local.start({ workflow: "collect", input: 1, id: "w", allowUnknown: true });
    const serve = async (env: Readonly<Record<string, string>>): Promise<{ readonly child: Child; readonly t: Transports }> => {
      const child = startChild("test/server/programs/signal-server.js", { env: { STORE: place.url, ...env } });
      const port = (await child.waitForLine("listening ")).slice("listening ".length);
      return { child, t: await transportsTo(`http://127.0.0.1:${port}`) };
    };
    const ends = async ({ child, t }: { readonly child: Child; readonly t: Transports }): Promise<void> => {
      await t.client.close();
      child.signal("SIGKILL");
      await child.ended;
    };
    const again = await serve({});
    try {
      // Those that do not send again by themselves: their server dies with the first.
      for (const [i, which] of [0, 1].entries()) {
        const dying = await serve({ PAWL_CRASH: "engine:post" });
        const s = { to: "w", name: "go", payload: "lost", signalId: `s${i}` };
        await expect(dying.t.all[which]!.signal(s)).rejects.toThrow("fetch failed");
        expect((await dying.child.ended).signal).toBe("SIGKILL");
        await ends(dying);
        expect(await store.inbox({ runId, all: true })).toHaveLength(i);
        const heard = [];
        for (const one of again.t.all) heard.push(await one.signal({ ...s, payload: "one" }));
        expect(heard.map((h) => h.replayed)).toEqual([false, true, true, true]);
        expect(await store.inbox({ runId, all: true })).toHaveLength(i + 1);
      }
    } finally {
      await ends(again);
      await store.close();
      await local.close();
      await place.remove();
    }
  });

  it(
    "a signal that was accepted is accepted once, and the request that is sent again hears of the first acceptance",
    proves("W-079", "W-092"),
    async () => {
      const place = await make();
      const local = await connect({ store: place.url });
      const { runId } = await local.start({ workflow: "collect", input: 1, id: "w", allowUnknown: true });
      const proxy = await startKillingProxy("test/server/programs/signal-server.js", { STORE: place.url });
      const t = await transportsTo(proxy.url);
      const store = await openStore(place.url, systemPlatform());
      try {
        for (const [i, one] of t.all.entries()) {
          const s = { to: "w", name: "go", payload: one.name, signalId: `s${i}` };
          proxy.arm();
          const retriesByItself = one.name === "client" || one.name === "CLI";
          const lost = retriesByItself
            ? undefined
            : await one.signal(s).then(
                () => "an answer",
                () => "none",
              );
          expect(lost, one.name).toBe(retriesByItself ? undefined : "none");
          const heard = await one.signal(s);
          expect([proxy.kills, heard.replayed, heard.result?.signalId], one.name).toEqual([i + 1, true, s.signalId]);
          for (const other of t.quick) expect((await other.signal({ ...s, payload: "again" })).result, other.name).toEqual(heard.result);
          expect(await store.inbox({ runId, all: true })).toHaveLength(i + 1);
        }
      } finally {
        await t.client.close();
        await proxy.close();
        await store.close();
        await local.close();
        await place.remove();
      }
    },
  );
});
