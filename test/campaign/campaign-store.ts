// Where a campaign is fought: a store of its own on a file or a server, a table for the orders' charges beside it, and a
// ledger. Everything here reads and prepares from outside the engine; nothing writes what an engine owns.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/client.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openTestDatabase, type StoreName } from "../support/test-database.ts";
import { insist } from "./programs/insist.ts";

export interface CampaignStore {
  readonly store: StoreName;
  readonly url: string;
  readonly ledger: string;
  /** A connection of the campaign's own: it looks, and looks again where the store could not answer. */
  readonly observer: Pick<FullStore, "runs" | "events" | "inbox" | "info"> & { consumers: FullStore["feed"]["consumers"] };
  /** Sends a signal from outside; whoever sends it again sends the same one. */
  signal(workflowId: string, name: string, value: unknown): Promise<void>;
  /** The archive that proves a run. */
  evidence(runId: string): Promise<Uint8Array>;
  /** How often each order was charged. */
  charges(): Promise<ReadonlyMap<string, number>>;
  leave(): Promise<void>;
}

export async function openCampaignStore(store: StoreName, server?: string): Promise<CampaignStore> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-campaign-"));
  const ground = await openTestDatabase(store, dir, server);
  const own = await insist(() => openStore(ground.url, systemPlatform()));
  const client = await connect({ store: own });
  await ground.sql("create table charges (run varchar(100))");
  return {
    store,
    url: ground.url,
    ledger: join(dir, "ledger"),
    observer: {
      runs: (q) => insist(() => own.runs(q)),
      events: (q) => insist(() => own.events(q)),
      inbox: (q) => insist(() => own.inbox(q)),
      info: () => insist(() => own.info()),
      consumers: (scope) => insist(() => own.feed.consumers(scope)),
    },
    signal: async (id, name, value) => void (await insist(() => client.signal(id, name, value, { signalId: name }))),
    evidence: (runId) => insist(() => client.evidence(runId)),
    async charges() {
      const rows = await ground.sql("select run, count(*) as n from charges group by run");
      return new Map(rows.map((r) => [String(r["run"]), Number(r["n"])]));
    },
    async leave() {
      await own.close();
      await ground.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
