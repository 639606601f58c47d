// `npm run screenshots`: pictures of every screen in both themes, or of those named behind `--`, from the shop of the tests, into docs/images. They are pictures of
// the real thing: a server, a store, processes that died. It must never draw anything that a reader could not see.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { killCommands, CliFolder } from "../cli/pawl-process.ts";
import { DevProcess } from "../dev/dev-process.ts";
import { plainNames, seedOperations } from "./operations.ts";
import { withPalette } from "./palette-png.ts";
import { openWorld, type World } from "./world.ts";

const folder = fileURLToPath(new URL("../../docs/images", import.meta.url));

/** A screen: its address, a text that only its finished state has, and the part to look at where it is not at the top. "{id}" is the run of that workflowId. */
const pictures: readonly (readonly [name: string, hash: string, text: string, part?: string])[] = [
  ["overview", "#/overview", "Failures by error"],
  ["runs", "#/runs", "ticket-18"],
  ["run", "#/runs/{order-1042}?step=[charge card]", "took over"],
  ["dag", "#/runs/{etl-nightly}", "Plan", ".plan"],
  ["graph", "#/runs/{research-owls}?superstep=1", "nothing about newts", ".graph"],
  ["agent", "#/runs/{ticket-17}", "I have refunded 75.00.", ".conversation"],
  ["agent-asks", "#/runs/{ticket-18}", "refund 75.00?", ".question"],
  ["decisions", "#/decisions", "Is this refund right?"],
  ["effects", "#/effects?key=payout-2026-11", "2 operations used this key"],
  ["proof", "#/runs/{order-1042}/proof", "unbroken"],
  ["retry", "#/runs/{delivery-8}/retry", "needs a decision"],
  ["engines", "#/operations/engines", "alive"],
  ["workflows", "#/operations/workflows", "Registered"],
  ["queues", "#/operations/queues", "images"],
  ["workers", "#/operations/workers", "zone"],
  ["schedules", "#/operations/schedules", "nightly"],
  ["webhooks", "#/operations/webhooks", "warehouse"],
  ["consumers", "#/operations/consumers", "mailer"],
  ["alerts", "#/operations/alerts", "What people said"],
  ["batches", "#/operations/batches", "done"],
  ["store", "#/operations/store", "Format"],
  ["tokens", "#/operations/tokens", "revoked"],
  ["audit", "#/operations/audit", "runs.pause"],
  ["api", "#/api", "runs.retry"],
];

const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];
const size = { width: 1120, height: 700 };
const only = process.argv.slice(2);
const wanted = (name: string): boolean => only.length === 0 || only.includes(name);

async function take(page: Page, name: string, theme: Theme): Promise<void> {
  // A picture is of a page at rest: what was asked for has arrived, and nothing fades.
  await page.waitForTimeout(600);
  writeFileSync(join(folder, `${name}-${theme}.png`), withPalette(await page.screenshot()));
}

async function screens(w: World): Promise<void> {
  const { runs } = await w.app.list({ limit: 200 });
  const idOf = (id: string): string => encodeURIComponent(runs.find((r) => r.workflowId === id)!.runId);
  const steps = (await (await fetch(`${w.url}/v1/runs/${idOf("order-1042")}/steps`)).json()) as {
    items: { name: string; stepId: string }[];
  };
  const stepOf = (name: string): string => encodeURIComponent(steps.items.find((s) => s.name === name)!.stepId);
  for (const theme of themes) {
    const page = await w.open("#/runs", { colorScheme: theme, viewport: size });
    for (const [name, given, text, part] of pictures) {
      if (!wanted(name)) continue;
      const hash = given.replace(/\{(.+?)\}/, (_, id: string) => idOf(id)).replace(/\[(.+?)\]/, (_, step: string) => stepOf(step));
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.locator("#main", { hasText: text }).waitFor();
      if (part !== undefined)
        await page
          .locator(part)
          .first()
          .evaluate((element) => element.scrollIntoView());
      await take(page, name, theme);
      if (name !== "decisions") continue;
      await page.setViewportSize({ width: 390, height: 844 });
      await take(page, "decisions-phone", theme);
      await page.setViewportSize(size);
    }
    if (wanted("batch-preview")) {
      await page.evaluate(`location.hash = "#/runs?workflow=report&status=failed"`);
      await page.locator("#main", { hasText: "report-2026-11" }).waitFor();
      await page.getByRole("button", { name: "Act on all that match …" }).click();
      await page.getByLabel("Reason").fill("the warehouse is open again");
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByText("runs match").waitFor();
      await take(page, "batch-preview", theme);
      await page.keyboard.press("Escape");
    }
  }
}

/** Waits for a question of an agent, so that its page can show it. */
async function moreRuns(w: World): Promise<void> {
  await w.app.start(w.shop["support"]! as never, { prompt: "I was charged twice." } as never, { id: "ticket-18" });
  while (!(await w.app.decisions()).some((d) => d.workflowId === "ticket-18")) await new Promise((resolve) => setTimeout(resolve, 20));
  // Acts of a person, for the audit log.
  const page = await w.open("#/operations/workflows");
  const row = page.getByRole("row", { name: /^wrap/ });
  for (const [open, verb] of [
    ["Pause …", "Pause it"],
    ["Resume …", "Resume it"],
  ] as const) {
    // prettier-ignore
    await row.getByRole("button", { name: open }).click();
    await page.getByLabel("Reason").fill("stocktaking");
    await page.getByRole("button", { name: verb }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  const { runs } = await w.app.list({ workflowId: "review-77" });
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${w.url}/v1${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  await post(`/runs/${runs[0]!.runId}/pause`, { reason: "ann is on holiday" });
  await post(`/runs/${runs[0]!.runId}/resume`, { reason: "ann is back" });
  await post("/batches", { filter: { workflow: "report", status: ["FAILED"] }, action: "retry", reason: "the warehouse is open again" });
}

async function signIn(): Promise<void> {
  const w = await openWorld({ seeded: false, server: { auth: () => null } });
  for (const theme of themes) {
    const page = await w.open("#/runs", { colorScheme: theme, viewport: size });
    await page.getByLabel("Token").waitFor();
    await take(page, "sign-in", theme);
  }
  await w.close();
}

/** The crash lab after three crashes, with code on disk that does not load and a run that a change has stopped. */
async function crashLab(w: World): Promise<void> {
  const code = readFileSync(new URL("./lab-program.txt", import.meta.url), "utf8");
  const dev = new DevProcess({ "order.ts": code });
  const { link } = await dev.event("listening");
  await dev.event("ready");
  const client = await dev.client();
  await client.start({ workflow: "order", id: "order-1" });
  await client.waitForEnd("order-1");
  const context = await w.browser.newContext({ viewport: size, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(String(link));
  await page.getByRole("link", { name: "Crash lab" }).click();
  for (const [step, window, seen] of [
    ["charge", "D", "✔ twice"],
    ["charge", "B", "✔ once"],
    ["send mail", "D", "? once, asks"],
    ["write note", "D", "✘ twice"],
  ] as const) {
    // prettier-ignore
    await page.getByLabel("Run", { exact: true }).selectOption("order-1");
    await page.getByLabel("Step", { exact: true }).selectOption({ label: step });
    await page.getByLabel("Window", { exact: true }).selectOption(window);
    await page.getByRole("button", { name: "Crash here" }).click();
    await dev.event("judged");
    await page.getByText(seen).first().waitFor();
  }
  const both = async (name: string): Promise<void> => {
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await take(page, name, colorScheme);
    }
  };
  await both("crash-lab");
  await client.start({ workflow: "subscription", id: "subscription-7" });
  while ((await client.get("subscription-7"))?.waiting !== "timer") await client.waitForChange("subscription-7", { timeoutMs: 50 });
  dev.folder.write("order.ts", code.replace(`"trial", "6s"`, `"first month", "31d"`));
  await dev.event("diverged");
  await page.getByText("first month").waitFor();
  dev.folder.write("order.ts", `${code}\nexport const broken = {;\n`);
  await dev.event("failed");
  await page.getByText("does not load").waitFor();
  await both("dev");
  await context.close();
  await client.close();
  await dev.stop();
}

/** `pawl ui` of the evidence of a run. */
async function evidence(w: World): Promise<void> {
  const cli = new CliFolder();
  const { runs } = await w.app.list({ workflowId: "order-1042" });
  await cli.json("evidence", runs[0]!.runId, "-o", "order-1042.zip", "--store", w.store);
  const running = cli.start(["ui", "order-1042.zip", "--json"]);
  let out = "";
  running.child.stdout!.on("data", (d: Buffer) => (out += String(d)));
  await running.saw("open this address");
  for (const colorScheme of themes) {
    const context = await w.browser.newContext({ viewport: size, colorScheme });
    const page = await context.newPage();
    await page.goto((JSON.parse(out) as { url: string }).url);
    await page.locator(".verdict").waitFor();
    await take(page, "evidence", colorScheme);
    await context.close();
  }
}

mkdirSync(folder, { recursive: true });
if (wanted("sign-in")) await signIn();
const w = await openWorld({ calm: true, engine: { queues: {} } });
try {
  const end = await seedOperations(w, plainNames);
  await moreRuns(w);
  await screens(w);
  await end();
  if (wanted("evidence")) await evidence(w);
  if (wanted("crash-lab") || wanted("dev")) await crashLab(w);
} finally {
  await killCommands();
  await w.close();
}
