// `pawl gc`: one pass of retention over the runs of a store. What is kept for how long is said by its options; what none of them
// names is kept for ever. --dry-run asks the store the same questions and changes nothing. Interrupted, it ends after the
// running transaction, and the next pass continues.
import type { RetentionPolicy, RetentionReport } from "../../../client/types.ts";
import type { Duration } from "../../../core/duration.ts";
import { retentionMs } from "../../../engine/upkeep/retention.ts";
import { PawlError } from "../../../errors/error.ts";
import { env, isTty, writeErr, writeOut } from "../../../platform/terminal.ts";
import type { DryRunOption, JsonOption, StoreOptions, YesOption } from "../../shared-options.ts";
import { askConfirmation } from "../../runs/ask-confirmation.ts";
import { exitCodes } from "../../output/report-error.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { printNote, printJson } from "../../output/print.ts";
import { withSession } from "../../session.ts";

export interface GcOptions extends DryRunOption, YesOption, JsonOption, StoreOptions {
  readonly keepPayloads?: string;
  readonly keepRuns?: string;
  readonly keepKeys?: string;
}

export async function gcCommand(_args: readonly string[], o: GcOptions): Promise<number> {
  const policy = policyOf(o);
  const keyFile = env("PAWL_SEAL_KEY");
  return withSession(o, async ({ client }) => {
    const dryRun = o.dryRun === true;
    if (!dryRun && !(await askConfirmation(o, `Remove what is older than ${policyText(policy)}?`))) {
      printNote("nothing was done");
      return exitCodes.ok;
    }
    const interrupt = listenForInterrupt();
    const live = isTty("err");
    try {
      const report = await client.applyRetention(policy, {
        dryRun,
        ...(keyFile === undefined || keyFile === "" ? {} : { keyFile }),
        stopped: interrupt.happened,
        onProgress: (r) => (live ? writeErr(`\r\u001B[2K${r.looked} runs looked at: ${doneText(r, dryRun)}`) : undefined),
      });
      if (live) writeErr("\r\u001B[2K");
      if (o.json === true) printJson({ dryRun, policy, ...report });
      else print(report, dryRun);
      return interrupt.happened() ? exitCodes.interrupted : exitCodes.ok;
    } finally {
      interrupt.stopListening();
    }
  });
}

function policyOf(o: GcOptions): RetentionPolicy {
  const policy = {
    ...(o.keepPayloads === undefined ? {} : { keepPayloads: o.keepPayloads as Duration }),
    ...(o.keepRuns === undefined ? {} : { keepRuns: o.keepRuns as Duration }),
    ...(o.keepKeys === undefined ? {} : { keepKeys: o.keepKeys as Duration }),
  };
  if (Object.keys(policy).length === 0)
    throw new PawlError("PAWL4011", "say how long to keep what: --keep-payloads, --keep-runs, --keep-keys");
  retentionMs(policy);
  return policy;
}

function policyText(p: RetentionPolicy): string {
  const parts = [
    p.keepPayloads === undefined ? [] : [`${p.keepPayloads} (payloads)`],
    p.keepRuns === undefined ? [] : [`${p.keepRuns} (logs)`],
    p.keepKeys === undefined ? [] : [`${p.keepKeys} (keys)`],
  ];
  return parts.flat().join(", ");
}

function doneText(r: RetentionReport, dry: boolean): string {
  const would = dry ? "would be " : "";
  return `payloads of ${r.expired} ${would}removed, logs of ${r.purged}, keys of ${r.forgotten}`;
}

const why: Readonly<Record<string, string>> = {
  open: "somebody in their family or line has not ended",
  young: "their family ended later",
  held: "they are held",
  awaited: "a consumer has not seen them yet",
  protects: "they still protect against duplicates",
  sealed: "they are sealed, and only an engine or a command with the key (PAWL_SEAL_KEY) may remove them",
};

function print(r: RetentionReport, dry: boolean): void {
  writeOut(`${r.looked} runs looked at: ${doneText(r, dry)}\n`);
  for (const [because, n] of Object.entries(r.kept)) writeOut(`${n} kept: ${why[because] ?? because}\n`);
}
