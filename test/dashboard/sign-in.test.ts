// Coming in and being put out: a token typed in or in the address, a second tab, a token that is revoked while somebody looks, a server that goes away, a server
// that is mounted below a path, a store without runs. Skipped where there is no Chromium.
import { afterEach, describe, expect, it } from "vitest";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { AccessScope } from "../../src/server.ts";
import { axeInBothThemes } from "./axe.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

describe.skipIf(!hasBrowser)("coming in", () => {
  let w: World;
  afterEach(() => w.close());
  const tokenFor = (subject: string, scopes: readonly AccessScope[]) =>
    localClient(contextOfEngine(w.app)).tokens.create({ subject, kind: "person", scopes: [...scopes] });

  it("a token buys a session that a second tab shares and a revocation ends", async () => {
    w = await openWorld({ seeded: false, server: { auth: () => null } });
    const { token, view } = await tokenFor("ann", ["read", "payloads"]);
    const page = await w.open("#/runs?status=failed");
    await page.getByLabel("Token").fill("pawl_nothing");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.getByLabel("Token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByText("No run matches").waitFor();
    expect(await page.getByRole("button", { name: /Act on all/ }).count()).toBe(0); // ann may only read
    const kept = JSON.stringify(await page.evaluate("[location.href, { ...localStorage }, { ...sessionStorage }, document.cookie]"));
    expect(kept).not.toContain(token);
    const second = await page.context().newPage();
    await second.goto(`${w.url}/#/runs`);
    await second.getByText("No runs yet").waitFor();
    await localClient(contextOfEngine(w.app)).tokens.revoke(view.tokenId, { reason: "left" });
    await page.getByText("Your session has ended").waitFor({ timeout: 60_000 });
    await second.getByText("Your session has ended").waitFor({ timeout: 60_000 });
  });

  it("a token in the address is used once and taken out of it", async () => {
    w = await openWorld({ seeded: false, server: { auth: () => null } });
    const { token } = await tokenFor("ann", ["read"]);
    const page = await w.open(`#token=${token}`);
    await page.getByText("No runs yet").waitFor();
    expect(page.url()).not.toContain("token");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").waitFor();
    await page.reload();
    await page.getByLabel("Token").waitFor();
  });

  it("an empty store teaches, a mounted server works, and one that goes away is said to be away", async () => {
    w = await openWorld({ seeded: false, server: { base: "/pawl" } });
    const page = await w.open("#/decisions");
    await page.getByText("Nothing waits for a person").waitFor();
    expect(new URL(page.url()).pathname).toBe("/pawl/");
    await page.goto(`${w.url}/#/runs`);
    await page.getByText("No runs yet").waitFor();
    await page.getByText("pawl run ./order.ts").waitFor();
    await w.api.stop();
    await page.getByRole("button", { name: /^failed/ }).click();
    await page.getByText("The server does not answer").waitFor();
  });
});
