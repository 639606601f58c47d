// Previews on every store: found by their text for five minutes, by nobody who only read the store, and taken away when they have expired. And that
// the package which speaks MCP is loaded by nobody who has no use for it.
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testStores, type TestStore } from "../../test/support/test-store.ts";
import { Previews, type Preview } from "./previews.ts";

const scope = { tenantId: "acme", projectId: "shop", environmentId: "live" };
const asked = { id: "i", operation: "runs.cancel", given: { id: "o" }, input: { id: "r" }, by: "ann", run: null } satisfies Omit<
  Preview,
  "expiresAt" | "confirmed"
>;

describe.each(testStores)("previews on %s", { timeout: 60_000 }, (_, make) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await make();
  });
  afterEach(() => b.close());
  const previews = (tenantId = "acme"): Previews => new Previews(b.store, { ...scope, tenantId }, b.platform);
  const rows = () => b.store.kv.list({ collection: "mcp.previews:acme/shop/live", limit: 100 });

  it("another process finds one by its text for five minutes, and another tenant never", async () => {
    const { confirm } = await previews().add(asked);
    const elsewhere = new Previews(await b.reopen(), scope, b.platform);
    expect(await elsewhere.find(confirm)).toMatchObject({ preview: { ...asked, confirmed: false } });
    expect(await previews("rival").find(confirm)).toBeUndefined();
    expect(await previews().find(`${confirm}0`)).toBeUndefined();
    const found = (await previews().find(confirm))!;
    const marked = await Promise.all([previews().markConfirmed(confirm, found), elsewhere.markConfirmed(confirm, found)]);
    expect(marked.toSorted()).toEqual([false, true]);
    expect(await elsewhere.find(confirm)).toMatchObject({ preview: { confirmed: true } });
    await previews().keepAnswer(confirm, found.preview, { paused: true });
    expect(await elsewhere.find(confirm)).toMatchObject({ preview: { confirmed: true, answer: { paused: true } } });
    b.advanceClock(5 * 60_000);
    expect(await elsewhere.find(confirm)).toBeUndefined();
  });

  it("the store has no text that could be sent, and expired ones leave it in time", async () => {
    const { confirm } = await previews().add(asked);
    expect(JSON.stringify(await rows())).not.toContain(confirm.slice("confirm_".length));
    for (let n = 0; n < 5; n++) await previews().add(asked);
    b.advanceClock(5 * 60_000);
    for (let n = 0; n < 60 && (await rows()).length > n + 1; n++) await previews().add(asked);
    expect((await rows()).every((r) => (JSON.parse(r.value) as Preview).expiresAt > r.at)).toBe(true);
  });
});

it("the package that speaks MCP is imported when it is needed, never at the top of a file", () => {
  const folder = new URL(".", import.meta.url);
  for (const file of readdirSync(folder)) {
    const top = readFileSync(new URL(file, folder), "utf8").matchAll(/^import (.*)from "@modelcontextprotocol/gm);
    for (const [, what = ""] of top) expect(what, file).toMatch(/^type /);
  }
});
