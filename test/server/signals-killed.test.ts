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
import { killChildren } from "../support/child-process.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { startKillingProxy } from "./killing-proxy.ts";
import { transportsTo } from "./transports.ts";

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
