// What the page of an archive shows: the verdict first, what failed, could it have happened twice, what is assumed, and the log. Text nodes only: everything
// in an archive may be a forger's.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Check, EffectAnswer, Verification } from "../../src/verify.ts";
import { Badge } from "../parts/badges.tsx";
import { Id, Plain, stepText } from "../parts/text.tsx";
import type { CheckedArchive } from "./checked.ts";

export function Waiting(): JSX.Element {
  return (
    <main class="evidence">
      <p role="status">Checking the archive in this page…</p>
    </main>
  );
}

export function Refused({ why }: { readonly why: string }): JSX.Element {
  return (
    <main class="evidence">
      <h1>Evidence</h1>
      <p class="problem" role="alert">
        <Plain text={why} max={600} />
      </p>
    </main>
  );
}

export function Archive(o: {
  readonly file: string;
  readonly bytes: number;
  readonly keys: readonly string[];
  readonly checked: CheckedArchive;
}): JSX.Element {
  const { verification: v, events, noSignatures } = o.checked;
  const failed = v.checks.filter((c) => c.state === "fail");
  return (
    <main class="evidence">
      <h1>
        <Plain text={o.file} max={120} />
      </h1>
      <p class="quiet">
        Run <Id text={v.runId} /> · {v.status.toLowerCase()} · {v.events} events · {o.bytes.toLocaleString("en")} bytes
      </p>
      <section class={`verdict ${v.ok ? "good" : "bad"}`} role={v.ok ? "status" : "alert"} aria-label="Verdict">
        <h2>{v.ok ? "Verified" : "Not verified: this archive was changed or damaged, or is not what was asked for"}</h2>
        <p>
          {v.ok
            ? "Every check holds. It was computed in this page, from the bytes of the archive; nothing was asked of a server or a store."
            : `${failed.length} ${failed.length === 1 ? "check" : "checks"} failed. Trust nothing below.`}
        </p>
        {noSignatures ? <p>This browser cannot check Ed25519 signatures; they count as failed here. Use pawl verify.</p> : null}
        {failed.length === 0 ? null : <Checks checks={failed} />}
      </section>
      <h2>Could it have happened twice?</h2>
      <Effects effects={v.effects} />
      <h2>What this rests on</h2>
      <Sentences title="Assumed" lines={v.assumed} />
      <Sentences title="Not sealed" lines={v.unsealed} />
      <p class="quiet small">
        {o.keys.length === 0
          ? "Checked without keys of your own: --key, --signer and --witness of pawl ui check more."
          : `Checked with ${o.keys.join(", ")}.`}
      </p>
      <h2>Checks</h2>
      <Checks checks={v.checks} />
      <Chain v={v} />
      <h2>Log</h2>
      <Log events={events} />
    </main>
  );
}

const tones = { pass: "good", fail: "bad", skipped: "calm" } as const;

function Checks({ checks }: { readonly checks: readonly Check[] }): JSX.Element {
  return (
    <table class="checks">
      <tbody>
        {checks.map((c) => (
          <tr key={c.check}>
            <td>
              <Badge tone={tones[c.state]} text={c.state} />
            </td>
            <th scope="row">{c.check}</th>
            <td>
              <Plain text={c.detail} max={1_000} />
              {c.at.length === 0 ? null : ` (event ${c.at.join(", ")})`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Effects({ effects }: { readonly effects: readonly EffectAnswer[] }): JSX.Element {
  if (effects.length === 0) return <p>No step of this run acts outside.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th>Step</th>
          <th>Class</th>
          <th>Sends</th>
          <th>State</th>
          <th>Answer</th>
        </tr>
      </thead>
      <tbody>
        {effects.map((e) => (
          <tr key={`${e.runId ?? ""} ${e.stepId}`}>
            <td>
              <Id text={stepText(e.stepId)} />
            </td>
            <td>{e.class.toLowerCase()}</td>
            <td>{e.sends}</td>
            <td>{e.state}</td>
            <td>
              <Plain text={e.answer} max={600} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Sentences({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <Plain text={line} max={1_000} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Chain({ v }: { readonly v: Verification }): JSX.Element | null {
  if (v.line === null) return null;
  return (
    <>
      <h2>Run chain</h2>
      <ol>
        {v.line.runs.map((r) => (
          <li key={r.runId}>
            <Id text={r.runId} /> {r.status.toLowerCase()}, {r.events} events
          </li>
        ))}
        {v.line.missing.map((runId) => (
          <li key={runId}>
            <Id text={runId} /> what it sent is not here
          </li>
        ))}
      </ol>
    </>
  );
}

const pageSize = 200;
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

function Log({ events }: { readonly events: CheckedArchive["events"] }): JSX.Element {
  const [shown, show] = useState(pageSize);
  if (events.length === 0) return <p>The log cannot be read.</p>;
  return (
    <>
      <table class="log">
        <thead>
          <tr>
            <th>Event</th>
            <th>Type</th>
            <th>Step</th>
            <th>Recorded</th>
            <th>Payload</th>
          </tr>
        </thead>
        <tbody>
          {events.slice(0, shown).map((e, i) => (
            <tr key={i}>
              <td>{textOf(e["runSeq"])}</td>
              <td>
                <Plain text={textOf(e["eventType"])} max={80} />
              </td>
              <td>
                <Id text={stepText(textOf(e["stepId"]))} />
              </td>
              <td>
                <Plain text={textOf(e["persistedAt"])} max={40} />
              </td>
              <td>
                <Payload value={e["payload"]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {events.length <= shown ? null : (
        <button type="button" onClick={() => show(shown + pageSize)}>
          Show more of {events.length.toLocaleString("en")} events
        </button>
      )}
    </>
  );
}

function Payload({ value }: { readonly value: unknown }): JSX.Element | null {
  if (value === undefined || value === null) return null;
  return (
    <details>
      <summary>
        {Object.keys(Object(value) as object)
          .slice(0, 6)
          .join(", ") || "value"}
      </summary>
      <pre>
        <Plain text={JSON.stringify(value, null, 2)} max={20_000} />
      </pre>
    </details>
  );
}
