// What models asked for: each effect that a recorded output of a model caused, with the model, its tokens, the tool and who approved it. Nothing is shown where no
// model was asked. The part of the reply that asked for it is read when somebody looks. The words are those of the log.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Cause } from "../../../src/events/causes.ts";
import { useLoad } from "../../data/load.ts";
import { payloadOf } from "../../data/payload.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Badge } from "../../parts/badges.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain, visibleText } from "../../parts/text.tsx";
import { Value } from "../../parts/value.tsx";

const tones = { open: "busy", completed: "good", failed: "bad", unknown: "warn" } as const;

export function Causes({ runId, causes }: { readonly runId: string; readonly causes: readonly Cause[] }): JSX.Element | null {
  if (causes.length === 0) return null;
  const replies = new Map(causes.map(({ by, model }) => [by.stepId, tokensOf(model)]));
  const tokens = [...replies.values()].reduce((n, used) => n + used, 0);
  return (
    <section class="card table-card" aria-labelledby="causes-title">
      <h2 id="causes-title">What models asked for</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Effect</th>
            <th scope="col">Outcome</th>
            <th scope="col">Asked by</th>
            <th scope="col">Output</th>
            <th scope="col">Tokens</th>
            <th scope="col">Approved by</th>
          </tr>
        </thead>
        <tbody>
          {causes.map((cause) => (
            <CauseRow key={cause.effect.stepId} runId={runId} cause={cause} />
          ))}
        </tbody>
      </table>
      {tokens === 0 ? null : (
        <p class="small quiet">
          {tokens.toLocaleString("en")} tokens in {replies.size === 1 ? "the reply" : `the ${replies.size} replies`} that asked for these.
        </p>
      )}
    </section>
  );
}

function tokensOf({ inputTokens, outputTokens }: Cause["model"]): number {
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}

function CauseRow({ runId, cause: { effect, by, model, approvedBy } }: { readonly runId: string; readonly cause: Cause }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr>
        <td>
          <a href={linkTo(["runs", runId], { step: effect.stepId })}>
            <Plain text={effect.tool} max={60} />
          </a>
          {effect.key === undefined ? null : (
            <div class="small faint">
              <Id text={effect.key} max={50} />
            </div>
          )}
        </td>
        <td>
          <Badge tone={tones[effect.outcome]} text={effect.repeatOf === undefined ? effect.outcome : "taken over"} />
        </td>
        <td>
          <a href={linkTo(["runs", runId], { step: by.stepId })}>
            <Plain text={`${model.provider} ${model.id}`} max={60} />
          </a>
        </td>
        <td>
          {may("payloads") ? (
            <button
              type="button"
              class="small quiet-button"
              aria-expanded={open}
              aria-label={`What it said before ${visibleText(effect.stepId)}`}
              onClick={() => setOpen(!open)}
            >
              What it said
            </button>
          ) : null}
        </td>
        <td class="num">{tokensOf(model) || ""}</td>
        <td>{approvedBy === undefined ? null : <Plain text={approvedBy} max={60} />}</td>
      </tr>
      {open ? (
        <tr>
          <td colSpan={6}>
            <Output runId={runId} by={by} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** The part of a recorded reply that asked for an effect. */
function Output({ runId, by }: { readonly runId: string; readonly by: Cause["by"] }): JSX.Element {
  const { value, error, reload } = useLoad(`output ${runId} ${by.stepId} ${by.part}`, async (signal) => {
    const { items } = await call("runs.events", { id: runId, step: by.stepId, types: ["StepCompleted"], limit: 1 }, { signal });
    const reply = items[0] === undefined ? undefined : (payloadOf(items[0])["result"] as { content?: readonly unknown[] } | undefined);
    return { said: reply?.content?.[by.part] };
  });
  if (error !== undefined) return <Problem error={error} again={reload} />;
  if (value === undefined) return <p class="small quiet">Reading …</p>;
  return value.said === undefined ? <p class="small quiet">The log no longer has it.</p> : <Value of={value.said} />;
}
