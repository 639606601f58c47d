// Failures and what to do about them: a retry policy with backoff, Fatal (no attempt would help), RetryAfter (the receiver says
// when), a time limit that aborts, and a catch in plain TypeScript. Delays are recorded, so they survive a restart.
import { Fatal, RetryAfter, run, StepError, workflow } from "pawl";

const fetchPrice = workflow({ name: "fetch-price" }, async (ctx) => {
  const price = await ctx.step(
    "flaky",
    (s) => {
      if (s.attempt.logical === 1) throw new Error("connection reset");
      if (s.attempt.logical === 2) throw new RetryAfter("20ms");
      return 42;
    },
    { retry: { attempts: 5, initial: "10ms", max: "1s" } },
  );

  const refused = await ctx
    .step("refused", () => Promise.reject(new Fatal("no such article")), { retry: { attempts: 5 } })
    .catch((e: unknown) => (e instanceof StepError ? `${e.category}: ${e.message}` : "?"));

  const slow = await ctx
    .step("slow", (s) => new Promise((_, reject) => s.signal.addEventListener("abort", () => reject(s.signal.reason))), { timeout: "50ms" })
    .catch((e: unknown) => (e instanceof StepError ? e.category : "?"));

  return { price, refused, slow };
});

console.log(await run(fetchPrice, undefined, { id: "article-1" }));
