// `pawl deliver`: the service that sends events to the endpoints, until interrupted, or once through what is due. What was given
// up is reported as it happens, on standard error or as lines of JSON; the ledger has it as well. Several may run at a time.
import { durationMs, type Duration } from "../../../core/duration.ts";
import type { WebhookDeadLetter } from "../../../webhooks/types.ts";
import type { JsonlOption, StoreOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { printNote, printJsonLine } from "../../output/print.ts";
import { withSession } from "../../session.ts";

export interface DeliverOptions extends JsonlOption, StoreOptions {
  readonly once?: boolean;
  readonly concurrency?: string;
  readonly keep?: string;
  readonly allowInsecure?: boolean;
  readonly allowPrivate?: boolean;
}

export async function deliverCommand(_args: readonly string[], o: DeliverOptions): Promise<number> {
  const concurrency = parseCount(o.concurrency, "--concurrency", 1);
  const keep = o.keep === undefined ? {} : { keep: durationMs(o.keep as Duration, "--keep") };
  return withSession(o, async ({ client, storeLabel: place }) => {
    const interrupt = listenForInterrupt();
    const delivering = client.webhooks.deliver({
      once: o.once === true,
      allowInsecure: o.allowInsecure === true,
      allowPrivate: o.allowPrivate === true,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...keep,
      onDead: (letter) => printDeadLetter(letter, o),
      onTrouble: (e) => printNote(`the store: ${e instanceof Error ? e.message : String(e)}; trying again`),
    });
    try {
      if (o.once !== true) printNote(`delivering from ${place}`);
      if ((await Promise.race([delivering.done, interrupt.requested])) !== "interrupted") return exitCodes.ok;
      await delivering.stop();
      return o.once === true ? exitCodes.interrupted : exitCodes.ok;
    } finally {
      interrupt.stopListening();
    }
  });
}

function printDeadLetter(letter: WebhookDeadLetter, o: DeliverOptions): void {
  if (o.jsonl === true) printJsonLine(letter);
  else
    printNote(
      `${letter.code} ${letter.endpoint}: gave up ${letter.eventType} of run ${letter.runId} (event ${letter.eventId}) ` +
        `after ${letter.attempts} attempts: ${letter.reason}`,
    );
}
