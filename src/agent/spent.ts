// What an agent has used in one run, and whether that is its budget. It is part of the state, so that a replay and a restored run know the same. Pure: no
// clock, no model.
import { durationMs } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { PawlError } from "../errors/error.ts";
import type { Usage } from "../tools/models.ts";
import type { Allowance } from "../tools/registry.ts";
import type { Budget } from "./types.ts";

export interface Spent {
  readonly turns: number;
  readonly calls: number;
  readonly ms: number;
  readonly usage: Usage;
  /** How often a person granted the budget once more. */
  readonly granted: number;
}
export type SpentUpdate = Partial<Spent> | { readonly reset: true };

export const nothingSpent: Spent = { turns: 0, calls: 0, ms: 0, usage: {}, granted: 0 };

export function addSpent(a: Spent, b: SpentUpdate): Spent {
  if ("reset" in b) return nothingSpent;
  return {
    turns: a.turns + (b.turns ?? 0),
    calls: a.calls + (b.calls ?? 0),
    ms: a.ms + (b.ms ?? 0),
    usage: addUsage(a.usage, b.usage ?? {}),
    granted: a.granted + (b.granted ?? 0),
  };
}

const members = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens", "cost"] as const;

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Record<string, number> = {};
  for (const m of members) if (a[m] !== undefined || b[m] !== undefined) sum[m] = (a[m] ?? 0) + (b[m] ?? 0);
  return sum;
}

export interface CheckedBudget {
  readonly turns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly cost: number;
  readonly ms: number;
  readonly asks: boolean;
  readonly price: ((u: Usage, model: string) => number) | undefined;
}

const budgetMembers: ReadonlySet<string> = new Set<keyof Budget>(["turns", "toolCalls", "tokens", "cost", "time", "onEnd"]);

export function checkBudget(agent: string, b: Budget = {}): CheckedBudget {
  const n = (value: unknown, what: string, otherwise: number): number => {
    if (value === undefined) return otherwise;
    if (typeof value !== "number" || !(value >= 0))
      throw new PawlError("PAWL5001", `budget.${what} of agent ${agent} must be a number of at least 0`);
    return value;
  };
  checkOptions(b, budgetMembers, `the budget of agent ${agent}`); // a misspelt limit would be no limit
  const { cost, onEnd = "stop" } = b;
  if (cost !== undefined && typeof cost.price !== "function")
    throw new PawlError("PAWL5001", `budget.cost of agent ${agent} needs price: a function of the usage`);
  if (onEnd !== "stop" && onEnd !== "ask") throw new PawlError("PAWL5001", `budget.onEnd of agent ${agent} is "stop" or "ask"`);
  return {
    turns: n(b.turns, "turns", 20),
    toolCalls: n(b.toolCalls, "toolCalls", Number.POSITIVE_INFINITY),
    tokens: n(b.tokens, "tokens", Number.POSITIVE_INFINITY),
    cost: n(cost?.max, "cost.max", Number.POSITIVE_INFINITY),
    ms: b.time === undefined ? Number.POSITIVE_INFINITY : durationMs(b.time, "budget.time"),
    asks: onEnd === "ask",
    price: cost?.price,
  };
}

/** What is used up, in words; undefined: there is some left for another model call. */
export function usedUp(b: CheckedBudget, s: Spent): string | undefined {
  const times = 1 + s.granted;
  const tokens = (s.usage.inputTokens ?? 0) + (s.usage.outputTokens ?? 0);
  if (s.turns >= b.turns * times) return `${s.turns} turns`;
  if (tokens >= b.tokens * times) return `${tokens} tokens`;
  if ((s.usage.cost ?? 0) >= b.cost * times) return `a cost of ${s.usage.cost ?? 0}`;
  return s.ms >= b.ms * times ? `${s.ms} ms of work` : undefined;
}

/** The smaller of the agent's own budget and what its caller gave it. */
export function withAllowance(b: CheckedBudget, a: Allowance | null): CheckedBudget {
  if (a === null) return b;
  return { ...b, tokens: Math.min(b.tokens, a.tokens ?? b.tokens), cost: Math.min(b.cost, a.cost ?? b.cost) };
}

/** What each of `among` agents that are called in one turn may spend: together no more than is left. */
export function allowanceOf(b: CheckedBudget, s: Spent, among: number): Allowance {
  const times = 1 + s.granted;
  const tokens = (s.usage.inputTokens ?? 0) + (s.usage.outputTokens ?? 0);
  const part = (max: number, used: number): number => Math.max(0, max * times - used) / among;
  return {
    ...(Number.isFinite(b.tokens) ? { tokens: Math.floor(part(b.tokens, tokens)) } : {}),
    ...(Number.isFinite(b.cost) ? { cost: part(b.cost, s.usage.cost ?? 0) } : {}),
  };
}

/** More calls than are left: none of them is sent. */
export function callsLeft(b: CheckedBudget, s: Spent): number {
  return b.toolCalls * (1 + s.granted) - s.calls;
}
