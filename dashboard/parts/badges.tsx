// Small coloured words: the status of a run or a step, the class of a guarantee, a verdict. Colour never says anything alone: the word is always there.
// They must use the words of the catalogue.
import type { JSX } from "preact";
import type { EffectVerdict } from "../../src/events/proof.ts";
import type { GuaranteeClass, RunStatus, StepStatus } from "../../src/core/model.ts";

type Tone = "good" | "bad" | "busy" | "warn" | "calm" | "ended";

const statusTones: Readonly<Record<RunStatus | StepStatus, Tone>> = {
  PENDING: "calm",
  RUNNING: "busy",
  PAUSED: "warn",
  COMPLETED: "good",
  SUCCESS: "good",
  FAILED: "bad",
  CANCELLED: "ended",
  SKIPPED: "ended",
};

export function Badge({ tone, text, title }: { readonly tone: Tone; readonly text: string; readonly title?: string }): JSX.Element {
  return (
    <span class={`badge ${tone}`} {...(title === undefined ? {} : { title })}>
      {text}
    </span>
  );
}

export function Status({ status }: { readonly status: RunStatus | StepStatus }): JSX.Element {
  return <Badge tone={statusTones[status]} text={status.toLowerCase()} />;
}

/** What each class means, in one sentence. */
export const classTexts: Readonly<Record<GuaranteeClass, string>> = {
  ATOMIC: "Happens once: its effect and its record are one transaction.",
  KEYED: "Sent again under the same key; the receiver takes it once inside its window.",
  VERIFIED: "After a crash its verifier is asked whether it happened, before it is sent again.",
  "AT-MOST-ONCE": "Never sent twice; a crash may leave a question for a person.",
  REPEATABLE: "Its author says that it may happen several times.",
  UNDECLARED: "Its author said nothing: after a crash it may happen again.",
};
export const classTones: Readonly<Record<GuaranteeClass, Tone>> = {
  ATOMIC: "good",
  KEYED: "good",
  VERIFIED: "good",
  "AT-MOST-ONCE": "calm",
  REPEATABLE: "calm",
  UNDECLARED: "warn",
};

export function Guarantee({ of }: { readonly of: GuaranteeClass }): JSX.Element {
  return <Badge tone={classTones[of]} text={of.toLowerCase()} title={classTexts[of]} />;
}

const verdictTones: Readonly<Record<EffectVerdict, Tone>> = {
  once: "good",
  "at-most-once": "good",
  "at-least-once": "warn",
  "in-doubt": "bad",
  "not-at-all": "calm",
};
export function Verdict({ of }: { readonly of: EffectVerdict }): JSX.Element {
  return <Badge tone={verdictTones[of]} text={of.replaceAll("-", " ")} />;
}
