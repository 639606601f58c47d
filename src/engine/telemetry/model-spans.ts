// The span of one call of a model, under its attempt: a step that falls back to another model has one for each that was called. The code that calls
// models knows the step's scope alone, so that is where the attempt is looked up. Without telemetry the call is simply made.
import { chatSpan, replyAttributes, type ChatCall, type ChatReply } from "./gen-ai.ts";
import { errorKind, type AttemptTrace } from "./run-trace.ts";

const attempts = new WeakMap<object, AttemptTrace>();

/** `scope` is what the step's function is given. */
export function traceModelCalls(scope: object, attempt: AttemptTrace): void {
  attempts.set(scope, attempt);
}

export async function inModelSpan<R extends ChatReply>(scope: object, call: ChatCall, fn: () => Promise<R>): Promise<R> {
  const span = attempts.get(scope)?.within((of) => chatSpan(call, of)) ?? null;
  if (span === null) return fn();
  try {
    const reply = await span.run(fn);
    span.end(replyAttributes(reply));
    return reply;
  } catch (e) {
    span.end({}, errorKind(e));
    throw e;
  }
}
