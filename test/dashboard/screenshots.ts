// `npm run screenshots`: pictures of every screen in both themes, or of those named behind `--`, from the shop of the tests, into docs/images. They are pictures of
// the real thing: a server, a store, a process that died. It must never draw anything that a reader could not see.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openWorld } from "./world.ts";

const folder = fileURLToPath(new URL("../../docs/images", import.meta.url));
const pictures: readonly (readonly [name: string, hash: string, text: string])[] = [
  ["overview", "#/overview", "Failures by error"],
  ["runs", "#/runs", "review-77"],
  ["run", "#/runs/{order-1042}?step=charge%20card%3A1", "took over"],
  ["dag", "#/runs/{etl-nightly}", "Plan"],
  ["graph", "#/runs/{research-owls}?superstep=1", "nothing about newts"],
  ["agent", "#/runs/{ticket-17}", "I have refunded 75.00."],
  ["decisions", "#/decisions", "Is this refund right?"],
  ["effects", "#/effects?key=payout-2026-11", "2 operations used this key"],
  ["proof", "#/runs/{order-1042}/proof", "unbroken"],
  ["retry", "#/runs/{order-1013}/retry", "kept"],
  ["operations", "#/operations/workflows", "served"],
  ["engines", "#/operations/engines", "alive"],
  ["api", "#/api", "runs.retry"],
];

/** As a phone shows it. */
const phone: ReadonlySet<string> = new Set(["decisions"]);
/** In the middle of the picture, where it is not at the top of the screen. */
const looksAt: Readonly<Record<string, string>> = { dag: ".plan", graph: ".graph", agent: ".conversation" };
const size = { width: 1120, height: 700 };
const only = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const w = await openWorld();
try {
  const { runs } = await w.app.list({ limit: 100 });
  const steps = await w.app.list({ workflowId: "order-1042" });
  const stepIds = new Map<string, string>();
  for (const s of (
    (await (await fetch(`${w.url}/v1/runs/${steps.runs[0]!.runId}/steps`)).json()) as { items: { name: string; stepId: string }[] }
  ).items)
    stepIds.set(s.name, s.stepId);
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await w.open("#/runs", { colorScheme, viewport: size });
    for (const [name, given, text] of pictures) {
      if (only.length > 0 && !only.includes(name)) continue;
      const hash = given
        .replace(/\{(.+?)\}/, (_, id: string) => encodeURIComponent(runs.find((r) => r.workflowId === id)!.runId))
        .replace("charge%20card%3A1", encodeURIComponent(stepIds.get("charge card") ?? ""));
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.locator("#main", { hasText: text }).waitFor();
      await page.waitForTimeout(600);
      if (looksAt[name] !== undefined) await page.locator(looksAt[name]).evaluate((part) => part.scrollIntoView());
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
      if (!phone.has(name)) continue;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.screenshot({ path: `${folder}/${name}-phone-${colorScheme}.png` });
      await page.setViewportSize(size);
    }
  }
} finally {
  await w.close();
}
