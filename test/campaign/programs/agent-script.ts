// What the agents of a campaign do, as a pure function of the turn: 50 turns, two calls each, of tools of every class; now and then the model asks again
// for a call of an earlier turn. And the file that counts: every process appends to it, no engine reads it.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export const turns = 50;
export const toolNames = ["once", "keyed", "verified", "reads", "rows"] as const;
export type ToolName = (typeof toolNames)[number];
export interface ScriptedCall {
  readonly tool: ToolName;
  readonly input: { readonly agent: string; readonly call: string };
}

export function callsOfTurn(agent: string, turn: number): readonly ScriptedCall[] {
  const own = (t: number, part: 0 | 1): ScriptedCall => ({
    tool: toolNames[(t + part * 2) % toolNames.length]!,
    input: { agent, call: `${t}.${part}` },
  });
  return turn % 7 === 6 ? [own(turn, 0), own(turn, 1), own(turn - 3, 0)] : [own(turn, 0), own(turn, 1)];
}

/** Calls whose receiver acts and then breaks the connection, the first time: one of each class that must not repeat. The model asks for them again three turns later. */
export const breaksOff = (call: string): boolean => ["10.0", "17.0", "31.0"].includes(call);

export type AgentLine =
  | { readonly what: "model"; readonly agent: string; readonly turn: number }
  | { readonly what: "tool"; readonly agent: string; readonly tool: ToolName; readonly call: string; readonly key: string };

export function noteLine(ledger: string, line: AgentLine): void {
  appendFileSync(ledger, `${JSON.stringify(line)}\n`);
}

export function readLines(ledger: string): readonly AgentLine[] {
  if (!existsSync(ledger)) return [];
  const whole = readFileSync(ledger, "utf8").split("\n").slice(0, -1); // the last line may still be written
  return whole.map((l) => JSON.parse(l) as AgentLine);
}
