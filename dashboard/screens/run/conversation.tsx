// What an agent and its model said, from the channel `messages` of its graph: texts, the tools that the model asked for, how each call ended, and what all of it used. A
// state that is not an agent's shows nothing. The words are those of others: always text.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Cause } from "../../../src/events/causes.ts";
import type { Standpoint } from "../../../src/events/graph-log.ts";
import { linkTo } from "../../data/route.ts";
import { Badge } from "../../parts/badges.tsx";
import { Plain, stepText, visibleText } from "../../parts/text.tsx";
import { Value } from "../../parts/value.tsx";
import { messagesOf, spentText, type SaidPart } from "./messages.ts";

const shownAtFirst = 30;
const textMax = 4_000;
const outcomes: Readonly<Record<string, "good" | "bad" | "warn">> = { done: "good", failed: "bad", unknown: "warn", refused: "bad" };

interface ConversationProps {
  readonly runId: string;
  readonly standpoint: Standpoint;
  readonly causes: readonly Cause[];
}

export function Conversation({ runId, standpoint, causes }: ConversationProps): JSX.Element | null {
  const [shown, show] = useState(shownAtFirst);
  const messages = messagesOf(standpoint.values["messages"]);
  if (messages === undefined) return null;
  const spent = spentText(standpoint.values["spent"]);
  const hidden = Math.max(0, messages.length - shown);
  return (
    <section class="card conversation" aria-labelledby="conversation-title">
      <h2 id="conversation-title">Conversation</h2>
      <p class="small quiet">
        {spent === undefined ? "" : `${spent}. `}After superstep {standpoint.superstep}.
      </p>
      {hidden === 0 ? null : (
        <button type="button" class="small" onClick={() => show(shown * 10)}>
          {hidden.toLocaleString("en")} earlier
        </button>
      )}
      <ol>
        {messages.slice(hidden).map(({ id, role, content }) => (
          <li key={id} class={`said ${role === "assistant" ? "by-model" : ""}`}>
            <p class="small faint">
              <Plain text={role} max={20} />
            </p>
            {content.map((part, i) => (
              <SaidPartView key={i} runId={runId} part={part} cause={part.kind === "call" ? causeOf(causes, part) : undefined} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The effect that a call became. */
function causeOf(causes: readonly Cause[], { id, askedBy }: { readonly id?: string; readonly askedBy?: string }): Cause | undefined {
  return causes.find(({ by }) => by.toolCallId === id && (askedBy === undefined || by.stepId === askedBy));
}

interface PartProps {
  readonly runId: string;
  readonly part: SaidPart;
  readonly cause: Cause | undefined;
}

function SaidPartView({ runId, part, cause }: PartProps): JSX.Element {
  if (part.kind === "text") return <SaidText text={part.text} />;
  if (part.kind === "call")
    return (
      <div>
        <p>
          asks for{" "}
          <strong>
            <Plain text={part.tool} max={120} />
          </strong>
          {part.askedBy === undefined ? null : (
            <>
              {" "}
              <a class="small" href={linkTo(["runs", runId], { step: part.askedBy })}>
                in <Plain text={stepText(part.askedBy)} max={80} />
              </a>
            </>
          )}
        </p>
        <Value of={part.input} />
        {cause === undefined ? null : (
          <p class="small quiet">
            {cause.approvedBy === undefined ? null : (
              <>
                <Badge tone="good" text="approved" /> by <Plain text={cause.approvedBy} max={80} />.{" "}
              </>
            )}
            <a href={linkTo(["runs", runId], { step: cause.effect.stepId })}>What became of it</a>
          </p>
        )}
      </div>
    );
  if (part.kind === "result")
    return (
      <div>
        <p>
          <strong>
            <Plain text={part.tool} max={120} />
          </strong>{" "}
          <Badge tone={outcomes[part.outcome] ?? "calm"} text={visibleText(part.outcome).slice(0, 20)} />
          {part.repeatOf === undefined ? null : (
            <span class="small quiet">
              {" "}
              taken over from{" "}
              <a href={linkTo(["runs", runId], { step: part.repeatOf })}>
                <Plain text={stepText(part.repeatOf)} max={80} />
              </a>
            </span>
          )}
        </p>
        <Value of={part.output} />
      </div>
    );
  return <Value of={part.value} />;
}

function SaidText({ text }: { readonly text: string }): JSX.Element {
  const [whole, show] = useState(false);
  return (
    <p class="said-text">
      <Plain text={text} {...(whole ? {} : { max: textMax })} />
      {whole || text.length <= textMax ? null : (
        <button type="button" class="small quiet-button" onClick={() => show(true)}>
          all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </p>
  );
}
