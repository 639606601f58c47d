// Opens a node once more only to see which step it makes: for a step that has ended and must be undone or confirmed. The calls that it is given
// record nothing and start nothing.
import type { Calls, EffectSpec, TxUndo } from "../engine/calls.ts";
import type { RestoredStep } from "../engine/style.ts";
import { PawlError } from "../errors/error.ts";
import { stepComponent } from "../core/step-id.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { BuiltNode, GivenValues } from "./built-node.ts";
import { OpenGate } from "./open-gate.ts";

/** Null: the node makes no such step. `cursors`: what the plan of a batch returned. */
export async function captureStep(built: BuiltNode, stepId: string, values: GivenValues, cursors: unknown): Promise<RestoredStep | null> {
  const { id } = built.plan;
  let found: RestoredStep | null = null;
  const nothing = (): void => {};
  const effect = async (scope: string, name: string, spec: EffectSpec): Promise<unknown> => {
    const component = stepComponent(name, sha256Hex);
    if ((scope === "" ? component : `${scope}/${component}`) === stepId) found = { effect: spec };
    return scope === "" ? cursors : undefined;
  };
  const tx = async (_scope: string, name: string, _fn: unknown, undo: TxUndo | null): Promise<unknown> => {
    if (name === stepId && undo !== null) found = { tx: undo };
    return undefined;
  };
  const refuse = (): never => {
    throw new PawlError("PAWL3007", `${id} is not a step that can be undone`);
  };
  const members: Record<string, unknown> = { effect, tx, plan: nothing, skip: nothing, openStepsMax: Number.MAX_SAFE_INTEGER };
  const calls = new Proxy({} as Calls, {
    get: (_, name) => (name === "isEnding" ? found !== null : (members[name as string] ?? refuse)),
  });
  try {
    await built.open({
      calls,
      node: built.plan,
      values,
      given: { needs: [], hash: "", hold: false },
      gate: new OpenGate(Number.MAX_SAFE_INTEGER),
    });
  } catch {
    // It could not be opened; what it was opened as before says so by not being found.
  }
  return found;
}
