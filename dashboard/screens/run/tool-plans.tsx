// The plans of a run: lists of tool calls that a planner made, each as one recorded fact, with its hash, what it replaces and why, and what became of each call.
// Nothing is shown where there is none. The words are those of the log: always text.
import type { JSX } from "preact";
import type { Cause } from "../../../src/events/causes.ts";
import { useLoad } from "../../data/load.ts";
import { payloadOf } from "../../data/payload.ts";
import { linkTo } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { may } from "../../data/session.ts";
import { Badge } from "../../parts/badges.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Id, Plain, stepText } from "../../parts/text.tsx";
import { Value } from "../../parts/value.tsx";

const tones = { open: "busy", completed: "good", failed: "bad", unknown: "warn" } as const;

interface PlansProps {
  readonly runId: string;
  readonly head: number;
  readonly plans: readonly string[];
  readonly causes: readonly Cause[];
}

export function ToolPlans({ runId, head, plans, causes }: PlansProps): JSX.Element | null {
  if (plans.length === 0 || !may("payloads")) return null;
  return (
    <section class="card" aria-labelledby="plans-title">
      <h2 id="plans-title">{plans.length === 1 ? "Plan of tool calls" : "Plans of tool calls"}</h2>
      {plans.map((stepId) => (
        <ToolPlan key={stepId} runId={runId} stepId={stepId} head={head} causes={causes} />
      ))}
    </section>
  );
}

interface Planned {
  readonly id?: unknown;
  readonly tool?: unknown;
  readonly input?: unknown;
  readonly label?: unknown;
}
interface Made {
  readonly planHash?: unknown;
  readonly content?: unknown;
  readonly none?: unknown;
}
interface By {
  readonly planner?: unknown;
  readonly version?: unknown;
  readonly inputHash?: unknown;
  readonly replaces?: unknown;
  readonly why?: unknown;
}

const textOf = (x: unknown): string => (typeof x === "string" ? x : "");

function ToolPlan({ runId, stepId, head, causes }: Omit<PlansProps, "plans"> & { readonly stepId: string }): JSX.Element {
  // A plan that is recorded does not change; one that is being made is looked at again as the log grows.
  const { value, error, reload } = useLoad(`plan ${runId} ${stepId} ${head}`, async (signal) => {
    const { items } = await call(
      "runs.events",
      { id: runId, step: stepId, types: ["StepStarted", "StepCompleted"], limit: 10 },
      { signal },
    );
    const of = (type: string): Readonly<Record<string, unknown>> => {
      const event = items.find((e) => e.eventType === type);
      return event === undefined ? {} : payloadOf(event);
    };
    return { by: (of("StepStarted")["plan"] ?? {}) as By, made: of("StepCompleted")["result"] as Made | undefined };
  });
  if (error !== undefined) return <Problem error={error} again={reload} />;
  if (value === undefined) return <p class="small quiet">Reading …</p>;
  const { by, made } = value;
  const calls = (Array.isArray(made?.content) ? made.content : []) as readonly Planned[];
  return (
    <div>
      <p>
        <a href={linkTo(["runs", runId], { step: stepId })}>
          <Plain text={stepText(stepId)} max={80} />
        </a>{" "}
        by{" "}
        <strong>
          <Plain text={textOf(by.planner)} max={80} />
        </strong>
        , version <Plain text={textOf(by.version)} max={40} />
        {typeof by.replaces === "string" ? (
          <>
            {" "}
            in place of <Id text={by.replaces} max={16} />: <Plain text={textOf(by.why)} max={400} />
          </>
        ) : null}
      </p>
      <p class="small faint">
        {typeof made?.planHash === "string" ? (
          <>
            plan <Id text={made.planHash} max={16} />,{" "}
          </>
        ) : null}
        of input <Id text={textOf(by.inputHash)} max={16} />
      </p>
      {made === undefined ? <p class="small quiet">The planner is at work.</p> : null}
      {typeof made?.none === "string" ? (
        <p>
          No plan: <Plain text={made.none} max={400} />
        </p>
      ) : null}
      <ol>
        {calls.map(({ id, tool, input, label }, n) => {
          const cause = causes.find((c) => c.by.stepId === stepId && c.by.part === n && c.by.toolCallId === id);
          return (
            <li key={n}>
              <p>
                <strong>
                  <Plain text={textOf(tool)} max={120} />
                </strong>{" "}
                {typeof label === "string" ? <Plain text={label} max={200} /> : null}{" "}
                {cause === undefined ? (
                  <span class="small quiet">not sent</span>
                ) : (
                  <a href={linkTo(["runs", runId], { step: cause.effect.stepId })}>
                    <Badge tone={tones[cause.effect.outcome]} text={cause.effect.outcome} />
                  </a>
                )}
              </p>
              <Value of={input} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
