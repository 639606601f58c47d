// Opening a client of a server. The address is checked here; nothing is sent before the first verb.
// It must never open a store or touch Node: browsers load it.
import { checkOptions } from "../../core/guarantee.ts";
import { webPlatform } from "../../platform/web.ts";
import { noteClientOpened } from "./clients-opened.ts";
import { httpClient } from "./client.ts";
import type { HttpClient, HttpConnectOpts } from "./types.ts";

const serverOptions: ReadonlySet<string> = new Set(["url", "token"] satisfies (keyof HttpConnectOpts)[]);

/**
 * A client of a Pawl server: starts, reads, signals and controls runs over HTTP, with the verbs, answers and errors of a client on the store.
 * What cannot travel is refused (PAWL4086). A write carries its own id and is sent again when its answer is lost (docs/http-client.md).
 *
 * @example
 * const client = await connect({ url: "https://pawl.example.com", token: "pawl_…" });
 * const { runId } = await client.start({ workflow: "order", input: { id: "17" }, id: "order-17" });
 * const { status, result } = await client.waitForEnd(runId, { timeoutMs: 60_000 });
 */
export async function connectToServer(o: HttpConnectOpts): Promise<HttpClient> {
  checkOptions(o, serverOptions, "connect()");
  noteClientOpened();
  return httpClient(o, webPlatform());
}
