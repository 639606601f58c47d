// Screen 5: what can be proved of a run. The sentence, each effect with how often it may have happened and the events that say so, the numbered assumptions, what
// would make the answer stronger, the check of the log, and the evidence to take away.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { GuaranteeClass } from "../../../src/core/model.ts";
import type { PawlError } from "../../../src/errors/error.ts";
import type { EffectProof, Proof as ProofView } from "../../../src/events/proof.ts";
import type { ScreenProps } from "../../app/screen.tsx";
import { problemOf, useLoad } from "../../data/load.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Badge, Guarantee, Verdict } from "../../parts/badges.tsx";
import { Command } from "../../parts/copy.tsx";
import { Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain } from "../../parts/text.tsx";
import { Assumptions } from "./assumptions.tsx";
import "../../style/effects.css";

const effectsAtOnce = 100;

export function Proof({ ids: [id = ""] }: ScreenProps): JSX.Element {
  const run = useLoad(`run ${id}`, (signal) => call("runs.get", { id }, { signal }));
  const [shown, setShown] = useState(effectsAtOnce);
  const proof = useLoad(`proof ${id}`, (signal) => call("runs.proof", { id, limit: effectsAtOnce }, { signal }));
  const error = run.error ?? proof.error;
  if (error !== undefined) return <Problem error={error} again={proof.reload} />;
  if (run.value === undefined || proof.value === undefined) return <Loading what="the proof" />;
  const { value } = proof;
  return (
    <article class="proof">
      <p class="crumbs small">
        <a href="#/runs">Runs</a> /{" "}
        <a href={linkTo(["runs", run.value.runId])}>
          <Plain text={run.value.workflowId} max={100} />
        </a>
      </p>
      <h1>Proof</h1>
      <div class="card verdict">
        <Verdict of={value.verdict} />
        <p class="because">
          <Plain text={value.sentence} max={4_000} />
        </p>
        <Assumptions of={value.assumptions} />
      </div>
      <Effects of={value.effects} />
      {Array.from({ length: shown / effectsAtOnce - 1 }, (_, i) => (
        <LaterEffects key={i} id={id} after={(i + 1) * effectsAtOnce} />
      ))}
      <More left={value.effects.length + (value.more ?? 0) - shown} show={() => setShown(shown + effectsAtOnce)} />
      <Stronger proof={value} />
      <Check id={run.value.runId} />
      <Evidence id={run.value.runId} workflowId={run.value.workflowId} />
    </article>
  );
}

function Effects({ of }: { readonly of: readonly EffectProof[] }): JSX.Element {
  return (
    <>
      {of.map((e) => (
        <EffectCard key={`${e.runId} ${e.stepId}`} effect={e} />
      ))}
    </>
  );
}

/** The effects of a long run, some at a time. */
function LaterEffects({ id, after }: { readonly id: string; readonly after: number }): JSX.Element {
  const { value, error, reload } = useLoad(`proof ${id} ${after}`, (signal) =>
    call("runs.proof", { id, after, limit: effectsAtOnce }, { signal }),
  );
  if (error !== undefined) return <Problem error={error} again={reload} />;
  return value === undefined ? <Loading what="more effects" /> : <Effects of={value.effects} />;
}

function More({ left, show }: { readonly left: number; readonly show: () => void }): JSX.Element | null {
  if (left <= 0) return null;
  return (
    <p>
      <button type="button" onClick={show}>
        Show more effects
      </button>{" "}
      <span class="quiet">{left.toLocaleString("en")} are not shown. The verdict and the assumptions above are of all of them.</span>
    </p>
  );
}

function EffectCard({ effect: e }: { readonly effect: EffectProof }): JSX.Element {
  return (
    <article class="card">
      <header class="row">
        <h2>
          <a href={linkTo(["runs", e.runId], { step: e.stepId })}>
            <Plain text={e.name} max={80} />
          </a>
        </h2>
        <Guarantee of={e.class} />
        <Verdict of={e.verdict} />
      </header>
      <p>
        <Plain text={e.sentence} max={2_000} />
      </p>
      <p class="small quiet evidence">
        Events:{" "}
        {e.events.map((seq) => (
          <a key={seq} class="num" href={linkTo(["runs", e.runId], { event: String(seq) })}>
            {seq}
          </a>
        ))}{" "}
        · assumptions: {e.assumptions.join(", ")}
        {e.key === undefined ? null : (
          <>
            {" "}
            · key{" "}
            <a href={linkTo(["effects"], { key: e.key })}>
              <Id text={e.key} max={60} />
            </a>
          </>
        )}
      </p>
      {(e.orders ?? []).map((o) => (
        <p key={o.runId} class="small warn-text">
          Sent again on the order of <Plain text={o.by} max={80} />: <Plain text={o.reason} max={400} />
        </p>
      ))}
    </article>
  );
}

/** What an author can add, by class. */
const stronger: Readonly<Partial<Record<GuaranteeClass, string>>> = {
  UNDECLARED:
    "Give it a key that its receiver remembers (key and dedup), a verifier (verify), or say that it may repeat (repeatable) or never may (once).",
  REPEATABLE: "It may happen several times because its author says so. A key and a window (key and dedup) would make it once.",
  "AT-MOST-ONCE": "A verifier (verify) would answer after a crash, where now a person must.",
  KEYED: "A longer window (dedup), or a verifier beside the key, would cover a longer outage.",
};

function Stronger({ proof }: { readonly proof: ProofView }): JSX.Element | null {
  const classes = [...new Set(proof.effects.map((e) => e.class))].filter((c) => stronger[c] !== undefined);
  if (classes.length === 0) return null;
  return (
    <section class="card">
      <h2>What would make it stronger</h2>
      <dl>
        {classes.map((c) => (
          <>
            <dt>
              <Guarantee of={c} />
            </dt>
            <dd>{stronger[c]}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function Check({ id }: { readonly id: string }): JSX.Element {
  const { value, error, reload } = useLoad(`verify ${id}`, (signal) => call("runs.verify", { id }, { signal }));
  return (
    <section class="card">
      <h2>The log itself</h2>
      {error === undefined ? null : <Problem error={error} again={reload} />}
      {value === undefined ? (
        <Loading what="the whole log" />
      ) : (
        <>
          <p>
            <Badge tone={value.ok ? "good" : "bad"} text={value.ok ? "unbroken" : "does not hold"} />{" "}
            {value.replay.error === undefined ? null : <Plain text={value.replay.error} max={600} />}
          </p>
          <dl class="small">
            <dt>Root of its chain</dt>
            <dd>
              <Id text={value.eventChainRoot} max={80} />
            </dd>
            <dt>Hash of its steps</dt>
            <dd>
              <Id text={value.stepsHash} max={80} />
            </dd>
          </dl>
        </>
      )}
    </section>
  );
}

function Evidence({ id, workflowId }: { readonly id: string; readonly workflowId: string }): JSX.Element {
  const [error, setError] = useState<PawlError | undefined>(undefined);
  const download = async (): Promise<void> => {
    setError(undefined);
    try {
      const bytes = await call("runs.evidence", { id }, { answers: "bytes" });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "application/zip" }));
      link.download = `${workflowId.replaceAll(/[^\w.-]+/g, "_").slice(0, 80)}.evidence.zip`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (e) {
      setError(problemOf(e));
    }
  };
  return (
    <section class="card">
      <h2>Evidence</h2>
      <p>An archive that proves this run without a server or a store: anybody can check it offline.</p>
      {error === undefined ? null : <Problem error={error} />}
      {may("export") ? (
        <p>
          <button type="button" class="primary" onClick={() => void download()}>
            Download evidence
          </button>
        </p>
      ) : (
        <p class="quiet">Downloading it needs a token with the scope export.</p>
      )}
      <Command text="pawl verify run.evidence.zip" />
    </section>
  );
}
