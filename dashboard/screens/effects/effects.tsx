// Screen 4: effects. "Was this charged?": by its business key, across runs and run chains, with the verdict and what it rests on; several operations under one key
// stand side by side. Without a key: what was recorded last, and what is in doubt.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { EffectView } from "../../../src/api/types/ledger.ts";
import { effectPhases, type EffectPhase } from "../../../src/core/model.ts";
import { useLoad } from "../../data/load.ts";
import { linkTo, replaceQuery, route } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { Badge, Guarantee, Verdict } from "../../parts/badges.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Ago, Moment } from "../../parts/time.tsx";
import { Value } from "../../parts/value.tsx";
import { Assumptions } from "../proof/assumptions.tsx";
import "../../style/effects.css";
import "../../style/value.css";

const pageSize = 50;

export function Effects(): JSX.Element {
  const { query } = route.value;
  const key = query.get("key") ?? "";
  const [text, setText] = useState(key);
  useEffect(() => setText(key), [key]);
  const submit = (e: Event): void => {
    e.preventDefault();
    replaceQuery({ key: text.trim() });
  };
  return (
    <section class="effects">
      <h1>Effects</h1>
      <p class="quiet">Was it charged, sent, booked? Ask by the key that the effect was sent with, over all runs and their retries.</p>
      <form class="row search" role="search" onSubmit={submit}>
        <input
          type="search"
          data-filter
          aria-label="Business key"
          placeholder="charge-order-42"
          spellcheck={false}
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Did it happen?
        </button>
      </form>
      {key === "" ? <Recent phase={effectPhases.find((p) => p === query.get("phase"))} /> : <ByKey key={key} of={key} />}
    </section>
  );
}

function ByKey({ of: key }: { readonly of: string }): JSX.Element {
  const proof = useLoad(`key ${key}`, (signal) => call("effects.proof", { key, limit: 100 }, { signal }));
  const effects = useLoad(`effects of ${key}`, (signal) => call("effects.list", { key, limit: pageSize }, { signal }));
  const error = proof.error ?? effects.error;
  if (error !== undefined) return <Problem error={error} again={proof.reload} />;
  if (proof.value === undefined || effects.value === undefined) return <Loading what="what was recorded under this key" />;
  const { items } = effects.value;
  if (items.length === 0)
    return (
      <Empty title="Nothing was recorded under this key">
        <p>
          No effect of this tenant used the key <Id text={key} />. If a step has no key of its own, look for its run instead.
        </p>
      </Empty>
    );
  const use = proof.value.key;
  return (
    <>
      <div class="card verdict">
        <Verdict of={use?.verdict ?? proof.value.verdict} />
        <p class="because">
          <Plain text={use?.sentence ?? proof.value.sentence} max={2_000} />
        </p>
        <Assumptions of={proof.value.assumptions} />
      </div>
      {items.length > 1 ? <h2>{items.length} operations used this key</h2> : null}
      <div class="side-by-side">
        {items.map((e) => (
          <Effect key={e.effectId} effect={e} />
        ))}
      </div>
    </>
  );
}

/** A key that Pawl made, because the step names none: nobody reads it. */
const ownKey = /^pawl-[0-9a-f]{32,}$/;
const phaseTones = { queued: "calm", dispatched: "busy", retrying: "warn", doubt: "bad", settled: "good" } as const;

function Effect({ effect: e }: { readonly effect: EffectView }): JSX.Element {
  return (
    <article class="card">
      <header class="row">
        <h3>
          <a href={linkTo(["runs", e.runId], { step: e.stepId })}>
            <Plain text={e.activityName} max={80} />
          </a>
        </h3>
        <Guarantee of={e.class} />
        <Badge
          tone={e.phase === "settled" && e.status !== "completed" ? "bad" : phaseTones[e.phase]}
          text={e.phase === "settled" ? e.status : e.phase === "doubt" ? "in doubt" : e.phase}
        />
      </header>
      <dl class="small">
        <dt>Run</dt>
        <dd>
          <a href={linkTo(["runs", e.runId])}>
            <Plain text={e.workflowId} max={100} />
          </a>
        </dd>
        {e.receiver === undefined ? null : (
          <>
            <dt>Receiver</dt>
            <dd>
              <Plain text={e.receiver} max={100} />
            </dd>
          </>
        )}
        <dt>First sent</dt>
        <dd>
          <Moment at={e.createdAt} />
        </dd>
        <dt>Last change</dt>
        <dd>
          <Moment at={e.updatedAt} />
        </dd>
        <dt>Attempts</dt>
        <dd class="num">
          {e.attempts}
          {e.engineAttempts > 1 ? `, dispatched ${e.engineAttempts} times` : ""}
        </dd>
      </dl>
      {e.argumentsDiffer === true ? <p class="warn-text small">Another operation used this key with other arguments.</p> : null}
      {e.error?.message === undefined ? null : (
        <p class="bad-text small">
          <Plain text={e.error.message} max={600} />
        </p>
      )}
      {Object.hasOwn(e, "result") ? <Value of={e.result} /> : null}
    </article>
  );
}

function Recent({ phase }: { readonly phase: EffectPhase | undefined }): JSX.Element {
  const { value, error, reload } = useLoad(`recent effects ${phase ?? ""}`, (signal) =>
    call("effects.list", { limit: pageSize, ...(phase === undefined ? {} : { phase }) }, { signal }),
  );
  return (
    <>
      <ul class="chips" aria-label="Phases">
        {effectPhases.map((p) => (
          <li key={p}>
            <button
              type="button"
              class="chip"
              aria-pressed={p === phase}
              onClick={() => replaceQuery({ phase: p === phase ? undefined : p })}
            >
              {p === "doubt" ? "in doubt" : p}
            </button>
          </li>
        ))}
      </ul>
      {error === undefined ? null : <Problem error={error} again={reload} />}
      {value === undefined ? (
        <Loading what="effects" />
      ) : value.items.length === 0 ? (
        <Empty title={phase === "doubt" ? "Nothing is in doubt" : "No effects recorded"}>
          <p>
            An effect is what a step does outside: a charge, a mail, a parcel. Each is recorded before it is sent, and again when its
            outcome is known.
          </p>
        </Empty>
      ) : (
        <div class="card table-card">
          <table>
            <thead>
              <tr>
                <th>Effect</th>
                <th>Key</th>
                <th>Guarantee</th>
                <th>State</th>
                <th>Run</th>
                <th>Last change</th>
              </tr>
            </thead>
            <tbody>
              {value.items.map((e) => (
                <tr key={e.effectId}>
                  <td>
                    <a href={linkTo(["runs", e.runId], { step: e.stepId })}>
                      <Plain text={e.activityName} max={60} />
                    </a>
                  </td>
                  <td>
                    {e.idempotencyKey === undefined ? null : (
                      <a href={linkTo(["effects"], { key: e.idempotencyKey })}>
                        <Id text={e.idempotencyKey} max={ownKey.test(e.idempotencyKey) ? 24 : 60} />
                      </a>
                    )}
                  </td>
                  <td>
                    <Guarantee of={e.class} />
                  </td>
                  <td>
                    <Badge
                      tone={e.phase === "settled" && e.status !== "completed" ? "bad" : phaseTones[e.phase]}
                      text={e.phase === "settled" ? e.status : e.phase === "doubt" ? "in doubt" : e.phase}
                    />
                  </td>
                  <td>
                    <a href={linkTo(["runs", e.runId])}>
                      <Plain text={e.workflowId} max={44} />
                    </a>
                  </td>
                  <td class="quiet">
                    <Ago at={e.updatedAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {value.nextCursor === undefined ? null : <p class="small quiet">These are the newest {pageSize}. Search by key for others.</p>}
        </div>
      )}
    </>
  );
}
