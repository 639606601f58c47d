// `pawl deliver`: the service that sends events to the endpoints, until interrupted, or once through what is due. What was given
// up is told as it happens, on standard error or as lines of JSON; the ledger has it as well. Several may run at a time.
import { durationMs, type Duration } from "../../core/duration.ts";
import type { DeadLetter } from "../../webhooks/types.ts";
import type { Options } from "../command.ts";
import { exitCodes } from "../failure.ts";
import { givenCount } from "../given.ts";
import { interruptible } from "../interrupt.ts";
import { note, printLine } from "../print.ts";
import { withSession } from "../session.ts";

export async function deliver(_args: readonly string[], o: Options): Promise<number> {
  const concurrency = givenCount(o.concurrency, "--concurrency", 1);
  const keep = o.keep === undefined ? {} : { keep: durationMs(o.keep as Duration, "--keep") };
  return withSession(o, async ({ client, place }) => {
    const interrupt = interruptible();
    const delivering = client.webhooks.deliver({
      once: o.once === true,
      allowInsecure: o.allowInsecure === true,
      allowPrivate: o.allowPrivate === true,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...keep,
      onDead: (letter) => tell(letter, o),
      onTrouble: (e) => note(`the store: ${e instanceof Error ? e.message : String(e)}; trying again`),
    });
    try {
      if (o.once !== true) note(`delivering from ${place}`);
      if ((await Promise.race([delivering.done, interrupt.asked])) !== "interrupted") return exitCodes.ok;
      await delivering.stop();
      return o.once === true ? exitCodes.interrupted : exitCodes.ok;
    } finally {
      interrupt.end();
    }
  });
}

function tell(letter: DeadLetter, o: Options): void {
  if (o.jsonl === true) printLine(letter);
  else
    note(
      `${letter.code} ${letter.endpoint}: gave up ${letter.eventType} of run ${letter.runId} (event ${letter.eventId}) ` +
        `after ${letter.attempts} attempts: ${letter.reason}`,
    );
}
