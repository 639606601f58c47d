// The public shapes of the HTTP client: how it is opened, and what of a client works over a wire. Types only: a verb that is not listed as
// local must have an operation, or it does not compile.
import type { Webhooks } from "../../webhooks/types.ts";
import type { Client } from "../types.ts";
import type { TokenSource } from "./target.ts";

/** Which server, and who asks. */
export interface HttpConnectOpts {
  /** The server's address, with the path it is mounted under, such as "https://pawl.example.com". http: is for this machine only. */
  url: string;
  /** A token (`pawl token create`), or a function that returns one; it is asked for each request. Absent: none is sent. */
  token?: TokenSource;
}

/** Verbs that need the store itself: over HTTP they are refused (PAWL4086). */
export type LocalOnly =
  | "subscribe"
  | "unsubscribe"
  | "project"
  | "rebuild"
  | "stream"
  | "producer"
  | "clearRejection"
  | "hold"
  | "release"
  | "holds"
  | "applyRetention"
  | "exportRuns"
  | "undoExport"
  | "importRuns"
  | "verifyStore"
  | "repairStore";

/** A client of a server: the same verbs as on a store, except for those that need the store itself. */
export interface HttpClient extends Omit<Client, LocalOnly | "webhooks"> {
  /** Endpoints that events are sent to; the server's processes deliver them. */
  readonly webhooks: Omit<Webhooks, "deliver">;
  /**
   * Ends what is under way: open waits are rejected. The client sends nothing afterwards.
   *
   * @example
   * await client.close();
   */
  close(): Promise<void>;
}
