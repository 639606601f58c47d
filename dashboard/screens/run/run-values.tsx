// What a run was given, what it published, and what it ended with, from the few events that say so. Read when the run is opened and again when it ends.
// An error is shown with everything that caused it.
import type { JSX } from "preact";
import type { RunEventRecord } from "../../../src/core/contract.ts";
import { useLoad } from "../../data/load.ts";
import { payloadOf } from "../../data/payload.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Problem } from "../../parts/problem.tsx";
import { Plain } from "../../parts/text.tsx";
import { Value } from "../../parts/value.tsx";
import { Section } from "./inspector.tsx";
import { causesOf } from "./step-facts.ts";

const types = ["RunQueued", "RunStarted", "RunCompleted", "RunFailed", "RunCancelled", "pawl.ViewPublished"];

export function RunValues({ runId, status }: { readonly runId: string; readonly status: string }): JSX.Element | null {
  const { value, error, reload } = useLoad(`values ${runId} ${status}`, async (signal) => {
    if (!may("payloads")) return [];
    return (await call("runs.events", { id: runId, types, limit: 200 }, { signal })).items;
  });
  if (error !== undefined) return <Problem error={error} again={reload} />;
  if (value === undefined || value.length === 0) return null;
  const members = membersOf(value);
  const failure = members.get("error") as { name?: string; message?: string; cause?: unknown } | undefined;
  return (
    <section class="card" aria-labelledby="values-title">
      <h2 id="values-title">Values</h2>
      {members.has("input") ? (
        <Section title="Input">
          <Value of={members.get("input")} />
        </Section>
      ) : null}
      {[...members]
        .filter(([name]) => name.startsWith("view "))
        .map(([name, of]) => (
          <Section key={name} title={`Published as ${name.slice(5)}`}>
            <Value of={of} />
          </Section>
        ))}
      {members.has("result") ? (
        <Section title="Result">
          <Value of={members.get("result")} />
        </Section>
      ) : null}
      {failure === undefined ? null : (
        <Section title="Error">
          <p>
            <strong>
              <Plain text={failure.name ?? "Error"} max={80} />
            </strong>{" "}
            <Plain text={failure.message ?? ""} max={4_000} />
          </p>
          {causesOf(failure.cause).map((cause, i) => (
            <p key={i} class="small cause">
              caused by <Plain text={cause} max={2_000} />
            </p>
          ))}
        </Section>
      )}
    </section>
  );
}

/** By name: the latest wins. */
function membersOf(events: readonly RunEventRecord[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const e of events) {
    const p = payloadOf(e);
    if (e.eventType === "pawl.ViewPublished") found.set(`view ${String(p["name"])}`, p["value"]);
    else for (const name of ["input", "result", "error"]) if (Object.hasOwn(p, name)) found.set(name, p[name]);
  }
  return found;
}
