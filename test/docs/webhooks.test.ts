// The page about webhooks against the code: defaults, headers, counters and verbs are what it says. Guards against a page that
// outlives them.
import { describe, expect, it } from "vitest";
import { contentType } from "../../src/webhooks/cloud-event.ts";
import { WebhookCounters } from "../../src/webhooks/webhook-counters.ts";
import { standardRetry } from "../../src/webhooks/endpoints.ts";
import { signedHeaders } from "../../src/webhooks/signature-headers.ts";
import { bodyBytesStandard } from "../../src/webhooks/attempt-sender.ts";
import { pageText, pageSource } from "./read-page.ts";

describe("docs/webhooks.md", () => {
  const page = pageText("docs/webhooks.md");

  it("says after which times and how often an event is sent again", () => {
    expect(standardRetry).toEqual({ attempts: 16, initialMs: 5_000, maxMs: 12 * 3_600_000 });
    expect(page).toContain(
      "sent again after 5 s, 10 s, 20 s … up to 12 h, with up to a tenth of jitter, and less than 5 s of it: 16 attempts, about a day and a half",
    );
    const delays = Array.from({ length: 15 }, (_, i) => Math.min(5_000 * 2 ** i, standardRetry.maxMs)).reduce((a, b) => a + b);
    expect(delays / 86_400_000).toBeCloseTo(1.45, 1);
  });

  it("says the bounds that the code has", () => {
    expect(page).toContain(`A body over \`bodyBytesMax\` (${bodyBytesStandard / 1024} KiB)`);
    const source = pageSource("src/webhooks/deliver.ts");
    expect([source.includes('o.keep ?? "7d"'), page.includes("kept for `keep`, 7 days")]).toEqual([true, true]);
    expect([source.includes('o.lease ?? "10s"'), page.includes("takes over after `lease` (10 s)")]).toEqual([true, true]);
    expect([source.includes("const batch = 16;"), page.includes("up to sixteen events of a run")]).toEqual([true, true]);
    expect([pageSource("src/webhooks/endpoints.ts").includes("standardTimeoutMs = 20_000"), page.includes("`timeout` (20 s)")]).toEqual([
      true,
      true,
    ]);
  });

  it("names every header of the envelope, the content type and every counter", () => {
    for (const header of Object.keys(signedHeaders("id", 0, "{}", []))) expect(page).toContain(`| \`${header}\` |`);
    expect(page).toContain(contentType.split(";")[0]);
    const counters = [...new WebhookCounters().expose().matchAll(/# TYPE pawl_webhook(_\w+) counter/g)].map((m) => m[1]);
    expect(counters).toHaveLength(5);
    for (const c of counters) expect(page).toMatch(new RegExp(`(pawl_webhook|…)${c}`));
  });
});
