// `pawl dev` while its code changes: no run is lost and none runs twice, code that does not load changes nothing, and a run that the new code cannot
// continue is shown with both sides and started again on request. Small doses here; PAWL_DEV_EDITS=50 edits fifty times.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { killCommands } from "../cli/pawl-process.ts";
import { wholeDose } from "../support/whole-dose.ts";
import { DevProcess } from "./dev-process.ts";

afterEach(killCommands);

const edits = Number(process.env["PAWL_DEV_EDITS"] ?? (wholeDose ? 6 : 3));

/** Each run sends one mail, by a step that must never be sent twice. */
const orderOf = (version: number): string => `import { appendFileSync } from "node:fs";
import { workflow } from "pawl";
import { pause } from "./pause.ts";
const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
export const order = workflow({ name: "order", input: any as never }, async (ctx, input: { n: number }) => {
  await ctx.sleep("wait", pause);
  await ctx.step("mail", () => appendFileSync("mails", input.n + "\\n"), { key: "mail-" + input.n, dedup: "1d" });
  const code = await ctx.step("code", () => ${version}, { repeatable: true });
  return { n: input.n, code };
});
`;

describe("pawl dev", () => {
  it("edited again and again under load loses no run and runs none twice", async () => {
    const dev = new DevProcess({ "order.ts": orderOf(0), "pause.ts": `export const pause = "300ms" as const;\n` });
    await dev.event("ready");
    const client = await dev.client();
    let on = true;
    let n = 0;
    const started: string[] = [];
    const load = (async () => {
      while (on) {
        n++;
        await new Promise((resolve) => setTimeout(resolve, 40)); // a load, not a flood
        started.push((await client.start({ workflow: "order", id: `o-${n}`, input: { n } })).workflowId);
      }
    })();
    for (let i = 1; i <= edits; i++) {
      // Sometimes the file itself, sometimes what it imports.
      if (i % 3 === 0) dev.folder.write("pause.ts", `export const pause = "${200 + i}ms" as const;\n`);
      else dev.folder.write("order.ts", orderOf(i));
      await dev.next((e) => e.event === "ready" && e["why"] === "changed");
    }
    on = false;
    await load;
    expect(started.length).toBeGreaterThan(0);
    for (const id of started) expect((await client.waitForEnd(id)).status, id).toBe("COMPLETED");
    const last = await client.waitForEnd(started.at(-1)!);
    expect(last.result).toMatchObject({ n });
    await client.close();
    expect(await dev.stop()).toBe(0);
    // Each run was carried out: all of them once, or twice where a kill would have been allowed to repeat a key. Nothing was killed here.
    const mails = readFileSync(join(dev.folder.dir, "mails"), "utf8").trim().split("\n").map(Number);
    expect(mails.toSorted((a, b) => a - b)).toEqual(started.map((_, i) => i + 1));
    expect(dev.all("diverged")).toEqual([]);
  }, 1_800_000);

  it("keeps the old code when the new one does not load, shows why with a frame, and takes the repaired one", async () => {
    const dev = new DevProcess({ "order.ts": orderOf(1), "pause.ts": `export const pause = "1ms" as const;\n` });
    const first = await dev.event("ready");
    const client = await dev.client();
    dev.folder.write("pause.ts", "export const pause = {;\n");
    const failed = await dev.event("failed");
    expect(failed).toMatchObject({ serving: true, problem: { code: "PAWL5005" } });
    expect(failed["problem"].message).toContain("export const pause = {;");
    expect((await dev.ask("/dev/state")).body).toMatchObject({
      serving: { version: 1, pid: first["child"].pid },
      problem: { code: "PAWL5005" },
    });
    const { runId } = await client.start({ workflow: "order", id: "while-broken", input: { n: 1 } });
    expect((await client.waitForEnd(runId)).result).toEqual({ n: 1, code: 1 });

    for (const [text, said] of [
      [`throw new Error("no luck");\nexport const pause = "1ms" as const;\n`, "no luck"],
      [`import "./missing.ts";\nexport const pause = "1ms" as const;\n`, "missing.ts"],
    ] as const) {
      dev.folder.write("pause.ts", text);
      expect((await dev.event("failed"))["problem"].message).toContain(said);
    }
    dev.folder.write("missing.ts", "export {};\n"); // the file that was not there is waited for
    expect(await dev.event("ready")).toMatchObject({ why: "changed" });
    expect((await dev.ask("/dev/state")).body.problem).toBe(null);

    dev.folder.write("order.ts", "export const nothing = 1;\n");
    expect((await dev.event("failed"))["problem"].message).toContain("it exports no workflow");
    await client.close();
    expect(await dev.stop()).toBe(0);
  });

  it("shows a run that the new code cannot continue, with both sides, and starts it again on the new code", async () => {
    const dev = new DevProcess({ "order.ts": orderOf(1), "pause.ts": `export const pause = "4s" as const;\n` });
    await dev.event("ready");
    const client = await dev.client();
    const { runId } = await client.start({ workflow: "order", id: "o-1", input: { n: 1 } });
    await client.start({ workflow: "order", id: "o-2", input: { n: 2 } });
    for (const id of ["o-1", "o-2"]) while ((await client.get(id))?.waiting !== "timer") await client.waitForChange(id, { timeoutMs: 50 });
    dev.folder.write("order.ts", orderOf(2).replace(`ctx.sleep("wait", pause)`, `ctx.sleep("breathe", "1ms")`));
    const seen = [await dev.event("diverged"), await dev.event("diverged")];
    expect(new Set(seen.map((s) => s["run"].workflowId))).toEqual(new Set(["o-1", "o-2"]));
    expect(seen[0]!["run"].reason).toContain("wait");
    expect(seen[0]!["run"].reason).toContain("breathe");
    const { body } = await dev.ask("/dev/again", { run: "o-1" });
    expect(body.started).toMatchObject([{ workflowId: "o-1" }]);
    expect((await client.waitForEnd(body.started[0].runId)).result).toEqual({ n: 1, code: 2 });
    expect((await client.get(runId))?.status).not.toBe("COMPLETED");
    expect((await client.get("o-2"))?.status).toBe("PAUSED");
    expect((await dev.ask("/dev/again", { run: "o-1" })).status).toBe(422);
    await client.close();
    expect(await dev.stop()).toBe(0);
  });
});
