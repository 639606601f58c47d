// The start-up gates as a table: each setting that must be refused, alone, with its code; and the settings that must pass.
// Every refused row differs in one thing from a row that passes.
import { describe, expect, it } from "vitest";
import { proves } from "../../../test/support/proves.ts";
import { checkServerSettings, isLoopback, type ServerSettings } from "./gates.ts";

const durable = { persistence: "durable", unsafe: [] } as const;
const local: ServerSettings = {
  auth: "credentials",
  listen: { host: "127.0.0.1", tls: false },
  behindProxy: false,
  store: durable,
  production: false,
  signers: 0,
};
const exposed: ServerSettings = { ...local, listen: { host: "0.0.0.0", tls: true } };
const production: ServerSettings = { ...exposed, production: true, signers: 1, cors: [] };
const on = (url: string): ServerSettings["store"] => ({ ...durable, url });

describe("a server starts", () => {
  it.each<[string, ServerSettings]>([
    ["on loopback with credentials", local],
    ["open on loopback", { ...local, auth: "open", listen: { host: "::1", tls: false } }],
    ["open in a host's own server", { ...local, auth: "open", listen: undefined as never }],
    ["in memory on loopback", { ...local, store: { persistence: "volatile", unsafe: ["fsync=off"] } }],
    ["elsewhere with TLS", exposed],
    ["elsewhere behind a proxy", { ...exposed, behindProxy: true, listen: { host: "0.0.0.0", tls: false } }],
    ["in production", production],
    ["with a database over TLS", { ...production, store: on("postgres://app:x7Kq@db.internal/app?sslmode=verify-full") }],
    ["with a database over TLS (MariaDB)", { ...production, store: on("mysql://app:x7Kq@db.internal/app?ssl=true") }],
    ["with a database on this machine", { ...production, store: on("postgres://app:x7Kq@127.0.0.1/app") }],
    ["with a database through a socket", { ...production, store: on("postgres://app@/app?host=/run/postgresql") }],
    ["with a password that is no escape", { ...production, store: on("postgres://app:100%@127.0.0.1/app?password=100%25") }],
    ["with a file", { ...production, store: on("sqlite:/var/lib/pawl/state.db") }],
  ])("%s", proves("AX-34"), (_, s) => {
    expect(() => checkServerSettings(s)).not.toThrow();
  });
});

describe("a server does not start", () => {
  it.each<[string, string, ServerSettings]>([
    ["without a way to know who asks", "PAWL5040", { ...local, auth: "none" }],
    ["without one in a host's own server", "PAWL5040", { ...local, auth: "none", listen: undefined as never }],
    ["open on another address", "PAWL5040", { ...exposed, auth: "open" }],
    ["open behind a proxy", "PAWL5040", { ...local, auth: "open", behindProxy: true }],
    ["open in production", "PAWL5040", { ...production, auth: "open", listen: { host: "localhost", tls: false } }],
    ["on another address without TLS", "PAWL5042", { ...exposed, listen: { host: "10.0.0.7", tls: false } }],
    ["on a name that only looks like loopback", "PAWL5042", { ...exposed, listen: { host: "127.0.0.1.example.com", tls: false } }],
    ["in memory, for others", "PAWL5042", { ...exposed, store: { persistence: "volatile", unsafe: [] } }],
    ["in memory, behind a proxy", "PAWL5042", { ...local, behindProxy: true, store: { persistence: "volatile", unsafe: [] } }],
    ["with an unsafe store", "PAWL5042", { ...exposed, store: { persistence: "durable", unsafe: ["fsync=off"] } }],
    ["with a plain connection to a database elsewhere", "PAWL5042", { ...exposed, store: on("postgres://app:x7Kq@db.internal/app") }],
    ["with one that may fall back", "PAWL5042", { ...exposed, store: on("postgres://app:x7Kq@db.internal/app?sslmode=prefer") }],
    ["with a plain connection (MariaDB)", "PAWL5042", { ...exposed, store: on("mysql://app:x7Kq@db.internal/app") }],
    ["with a default password", "PAWL5042", { ...exposed, store: on("postgres://postgres:postgres@127.0.0.1/app") }],
    ["with the user's name as password", "PAWL5042", { ...exposed, store: on("mysql://shop:Shop@db.internal/app?ssl=true") }],
    ["with a default password in the query", "PAWL5042", { ...exposed, store: on("postgres://app@127.0.0.1/app?password=changeme") }],
    ["in production without a signer", "PAWL5042", { ...production, signers: 0 }],
    ["in production without an answer about CORS", "PAWL5042", { ...production, cors: undefined as never }],
    ["in production in memory", "PAWL5042", { ...production, store: { persistence: "volatile", unsafe: [] } }],
  ])("%s: %s", proves("AX-34"), (_, code, s) => {
    expect(() => checkServerSettings(s)).toThrow(expect.objectContaining({ page: code }) as Error);
  });

  it("no message shows a password", () => {
    let text = "";
    try {
      checkServerSettings({ ...exposed, store: on("postgres://postgres:changeme@127.0.0.1/app") });
    } catch (e) {
      text = String(e);
    }
    expect(text).toContain("postgres");
    expect(text).not.toContain("changeme");
  });
});

it("loopback is 127.0.0.0/8, ::1 and localhost", () => {
  expect(["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "LOCALHOST"].every(isLoopback)).toBe(true);
  expect(["0.0.0.0", "::", "10.0.0.1", "localhost.example", "127.0.0.1.nip.io", "128.0.0.1", ""].some(isLoopback)).toBe(false);
});
