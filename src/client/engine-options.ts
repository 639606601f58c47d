// The options of engine(), checked: everything that can be refused is refused here, before a store is opened or a run is touched. What
// leaves this file are complete settings with every default filled in.
import { secretTexts } from "../codec/secrets.ts";
import { durationMs } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { leaseTimes } from "../engine/lease-times.ts";
import { checkLimits, type EngineLimits } from "../core/limits.ts";
import type { Scope } from "../core/model.ts";
import { checkName } from "../core/names.ts";
import type { Definition } from "../engine/definition.ts";
import type { Recovery } from "../engine/recovery-check.ts";
import type { Logger } from "../engine/run-host.ts";
import { PawlError } from "../errors/error.ts";
import { readKeyFile, type SealKey } from "../log/seal-key-file.ts";
import { codeSchedules, type CodeSchedule } from "../schedule/define.ts";
import { concurrencyDefault } from "../queue/queue-server.ts";
import { checkQueueName } from "../workflow/queue-options.ts";
import { definitionOf } from "../workflow/registry.ts";
import type { EngineOpts, SealOpts } from "./engine-types.ts";
import { defaultScope, type Environment } from "./environment.ts";

/** A misspelt option would be a setting that silently does not hold. */
const engineOptions: ReadonlySet<string> = new Set(
  `store workflows tenant checkpointOwnership lease renew limits secrets log liveRunsMax effectsMax schedules ledger effectStore requireTwoApprovers onGivenUp onVersionChange recovery onDecision
   queues production idle retention signalRetention webhooks seal telemetry`.split(/\s+/),
);

const defaultIdleMs = 5_000;

/** What an engine is made with, apart from its store. */
export interface CheckedOptions {
  readonly scope: Scope;
  readonly limits: EngineLimits;
  readonly log: Logger;
  readonly checkpointOwnership: "cas-required" | "single-owner";
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly idleMs: number;
  readonly liveRunsMax: number;
  readonly effectsMax: number;
  readonly ledger: "declared" | "all";
  readonly production: boolean;
  readonly onGivenUp: "ask" | "fail";
  readonly onVersionChange: "allow" | "warn" | "strict";
  readonly recovery: Recovery;
  readonly definitions: readonly Definition[];
  readonly schedules: readonly CodeSchedule[];
  readonly seal: { readonly key: SealKey; readonly everyMs: number } | null;
  readonly signalRetentionMs: number | null;
  readonly queues: ServedQueues | null;
}

/** The queues that a process serves, and how much of each at once. */
export type ServedQueues = Readonly<Record<string, { readonly concurrency: number }>>;

export function checkEngineOptions(environment: Environment, o: EngineOpts): CheckedOptions {
  checkOptions(o, engineOptions, "engine()");
  const times = leaseTimes(o);
  const checkpointOwnership = o.checkpointOwnership ?? "cas-required";
  if (checkpointOwnership !== "cas-required" && checkpointOwnership !== "single-owner")
    throw new PawlError("PAWL5001", 'checkpointOwnership must be "cas-required" or "single-owner"');
  const scope = checkScope(o.tenant ?? defaultScope);
  const onGivenUp = o.onGivenUp ?? "ask";
  if (onGivenUp !== "ask" && onGivenUp !== "fail") throw new PawlError("PAWL5001", 'onGivenUp must be "ask" or "fail"');
  const onVersionChange = o.onVersionChange ?? "allow";
  if (!["allow", "warn", "strict"].includes(onVersionChange))
    throw new PawlError("PAWL5001", 'onVersionChange must be "allow", "warn" or "strict"');
  const recovery = o.recovery ?? "shared";
  if (!["shared", "strict", "skip"].includes(recovery)) throw new PawlError("PAWL5001", 'recovery must be "shared", "strict" or "skip"');
  // AX-18: three deaths, where nobody will be asked.
  const bounds = checkLimits(onGivenUp === "fail" ? { engineAttemptsMax: 3, idleClaimsMax: 3, ...o.limits } : o.limits);
  const secrets = secretTexts(o.secrets);
  const limits: EngineLimits = secrets === undefined ? bounds : { ...bounds, secrets };
  if (o.telemetry !== undefined && o.telemetry !== false)
    throw new PawlError("PAWL5001", "telemetry is on by itself where @opentelemetry/api is installed; false turns it off");
  if (o.workflows !== undefined && !Array.isArray(o.workflows)) throw new PawlError("PAWL5001", "workflows must be a list of workflows");
  const schedules = codeSchedules(o.schedules);
  const given = (o.workflows ?? []).map(definitionOf);
  // An engine runs what it schedules, whether or not the workflow is named as well.
  const scheduled = schedules.map((s) => definitionOf(s.workflow)).filter((d) => !given.some((g) => g.name === d.name));
  return {
    scope,
    limits,
    onGivenUp,
    onVersionChange,
    recovery,
    checkpointOwnership,
    ...times,
    definitions: [...given, ...scheduled],
    schedules,
    seal: sealSettings(environment, o.seal),
    production: o.production ?? environment.production ?? false,
    log: o.log === undefined ? environment.log : withFallbackLog(o.log, environment.log),
    queues: o.queues === undefined ? null : checkQueues(o.queues),
    idleMs: o.idle === undefined ? defaultIdleMs : durationMs(o.idle, "idle"),
    liveRunsMax: checkCount(o.liveRunsMax, "liveRunsMax", 5_000),
    effectsMax: checkCount(o.effectsMax, "effectsMax", 1_000),
    ledger: checkLedgerMode(o.ledger),
    signalRetentionMs: o.signalRetention === undefined ? null : durationMs(o.signalRetention, "signalRetention"),
  };
}

export function checkQueues(queues: unknown): ServedQueues {
  if (typeof queues !== "object" || queues === null || Array.isArray(queues))
    throw new PawlError("PAWL5001", "queues is an object of names, such as { payments: { concurrency: 5 } }");
  const entries = Object.entries(queues as Record<string, unknown>).map(([name, o]) => {
    checkQueueName(name, "a queue's name");
    checkOptions(o, new Set(["concurrency"]), `queue ${name}`);
    const { concurrency } = o as { concurrency?: number };
    return [name, { concurrency: checkCount(concurrency, `concurrency of queue ${name}`, concurrencyDefault) }] as const;
  });
  return Object.fromEntries(entries);
}

export function checkScope(s: Scope): Scope {
  if (typeof s !== "object" || s === null)
    throw new PawlError("PAWL5001", `tenant must be an object { tenantId, projectId, environmentId }, not ${JSON.stringify(s)}`);
  for (const f of ["tenantId", "projectId", "environmentId"] as const) checkName(s[f], f);
  return s;
}
function checkLedgerMode(l: EngineOpts["ledger"]): "declared" | "all" {
  if (l !== undefined && l !== "declared" && l !== "all") throw new PawlError("PAWL5001", 'ledger must be "declared" or "all"');
  return l ?? "declared";
}
function checkCount(n: number | undefined, what: string, fallback: number): number {
  if (n === undefined) return fallback;
  if (!Number.isSafeInteger(n) || n < 1) throw new PawlError("PAWL5001", `${what} must be a whole number of at least 1`);
  return n;
}

/** What an engine seals with: its own option, else the key file of the environment. */
export function sealSettings(environment: Pick<Environment, "sealKey">, o: EngineOpts["seal"]): { key: SealKey; everyMs: number } | null {
  const named: SealOpts | undefined =
    environment.sealKey === undefined || environment.sealKey === "" ? undefined : { keyFile: environment.sealKey };
  const seal = o ?? named;
  if (seal === undefined || seal === false) return null;
  if (typeof seal !== "object" || seal === null || typeof seal.keyFile !== "string" || seal.keyFile === "")
    throw new PawlError("PAWL5001", "seal.keyFile must be the path of a private key");
  const everyMs = seal.every === undefined ? 60_000 : durationMs(seal.every, "seal.every");
  if (everyMs < 1_000) throw new PawlError("PAWL5001", "seal.every must be at least one second");
  return { key: readKeyFile(seal.keyFile), everyMs };
}

/** The user's log, or ours for what it failed at: it is called from timers and answers, where nobody could catch what it throws. */
function withFallbackLog(theirs: Logger, ours: Logger): Logger {
  return (level, message, data) => {
    try {
      theirs(level, message, data);
    } catch (error) {
      ours(level, message, data);
      ours("warn", "the log that was given to the engine failed", { error });
    }
  };
}
