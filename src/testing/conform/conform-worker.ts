// Drives a worker in any language through the transcripts of the worker protocol. Each transcript has a server and a process of its own. A
// transcript that does not come to its end within its time, and a request that breaks a rule, are what the worker must repair.
import { startShell, type ProgramEnd } from "../../platform/child-process.ts";
import { listenHttp } from "../../platform/net/listen.ts";
import type { Platform } from "../../platform/platform.ts";
import { ScriptedServer } from "./scripted-server.ts";
import { includesPart, type Transcript, type TranscriptStep, type WorkerProtocol } from "./transcript.ts";

export interface TranscriptResult {
  readonly name: string;
  readonly rule: number;
  readonly says: string;
  readonly ok: boolean;
  readonly problems: readonly string[];
}

export interface WorkerTrials {
  readonly command: string;
  readonly protocol: WorkerProtocol;
  readonly platform: Platform;
  /** How long one transcript may take. */
  readonly limitMs: number;
  readonly onResult?: (r: TranscriptResult) => void;
}

export async function conformWorker(o: WorkerTrials): Promise<readonly TranscriptResult[]> {
  const results: TranscriptResult[] = [];
  for (const t of o.protocol.transcripts) {
    const problems = await runTranscript(t, o);
    const result = { name: t.name, rule: t.rule, says: t.says, ok: problems.length === 0, problems };
    results.push(result);
    o.onResult?.(result);
  }
  return results;
}

async function runTranscript(t: Transcript, o: WorkerTrials): Promise<readonly string[]> {
  const server = new ScriptedServer("conform-token", o.protocol.queue, o.protocol.concurrency, o.platform);
  const listening = await listenHttp(server.listener, { host: "127.0.0.1", port: 0, headersTimeoutMs: 10_000, requestTimeoutMs: 30_000 });
  const worker = startShell(o.command, { PAWL_URL: `http://127.0.0.1:${listening.port}`, PAWL_TOKEN: server.token });
  let ended: ProgramEnd | undefined;
  void worker.ended.then(
    (end) => {
      ended = end;
      server.changed();
    },
    () => {},
  );
  const endsAt = o.platform.monotonicMs() + o.limitMs;
  try {
    for (const [i, step] of t.script.entries()) {
      const reached = await play(
        step,
        server,
        worker.signal,
        () => ended,
        (holds) => waitUntil(o.platform, server, holds, () => ended, endsAt),
      );
      if (server.problems.length > 0) break;
      if (!reached) {
        const why =
          ended === undefined ? `not within ${o.limitMs} ms` : `the worker ended with code ${ended.code}: ${ended.err.trim().slice(-500)}`;
        return [`step ${i + 1}, ${JSON.stringify(step)}: ${why}`];
      }
    }
    return [...new Set(server.problems)];
  } finally {
    worker.signal("SIGKILL");
    await worker.ended.catch(() => undefined);
    listening.closeAll();
    await listening.close();
  }
}

/** False: what it waits for did not come. */
async function play(
  step: TranscriptStep,
  server: ScriptedServer,
  signal: (name: "SIGTERM") => void,
  ended: () => ProgramEnd | undefined,
  waitFor: (holds: () => boolean) => Promise<boolean>,
): Promise<boolean> {
  if ("hand" in step) for (const [name, claim] of Object.entries(step.hand)) server.hand(name, claim);
  else if ("again" in step) server.handAgain(step.again);
  else if ("cancel" in step) server.cancel(step.cancel);
  else if ("lost" in step) server.lose(step.lost);
  else if ("forget" in step) server.forget();
  else if ("signal" in step) signal(step.signal);
  else if ("fault" in step) server.fail(step.fault, step.do, step.times);
  else if ("slow" in step) server.answerPollAfter(step.ms);
  else return waitFor(condition(step, server, ended));
  return true;
}

type Waiting = Extract<TranscriptStep, { readonly await: string } | { readonly quiet: string }>;

function condition(step: Waiting, server: ScriptedServer, ended: () => ProgramEnd | undefined): () => boolean {
  const firstPoll = server.polls.length;
  const resultsOf = (name: string): number => server.results.filter((r) => r.dispatchId === name).length;
  if ("quiet" in step) {
    return () => {
      // Its first report was answered: any other one is too many, also one that came before this step of the script.
      if (resultsOf(step.quiet) > 1) server.problems.push(`results: ${step.quiet} was reported again after its answer`);
      return server.polls.length >= firstPoll + step.polls;
    };
  }
  if (step.await === "register") return () => server.registered.length >= step.times;
  if (step.await === "leave") return () => server.left;
  if (step.await === "exit") return () => ended() !== undefined;
  if (step.await === "results" && "of" in step) return () => resultsOf(step.of) >= step.times;
  if ("is" in step && step.await === "result")
    return () => server.results.some((r) => r.dispatchId === step.of && includesPart(r, step.is));
  if ("times" in step) {
    const count = (): number =>
      server.beats.filter((b) => b.dispatchId === step.of).length + server.polls.filter((p) => p.holds.has(step.of)).length;
    return () => count() >= step.times;
  }
  if ("is" in step) return () => server.beats.some((b) => b.dispatchId === step.of && includesPart(b, step.is));
  return () =>
    server.polls
      .slice(firstPoll)
      .some(
        (p) =>
          (step.holds ?? []).every((n) => p.holds.has(n)) &&
          !(step.notHolds ?? []).some((n) => p.holds.has(n)) &&
          includesPart(p.free, step.free ?? {}),
      );
}

async function waitUntil(
  platform: Platform,
  server: ScriptedServer,
  holds: () => boolean,
  ended: () => ProgramEnd | undefined,
  endsAt: number,
): Promise<boolean> {
  for (;;) {
    if (holds() || server.problems.length > 0) return true;
    const leftMs = endsAt - platform.monotonicMs();
    if (leftMs <= 0 || ended() !== undefined) return false;
    await new Promise<void>((resolve) => {
      const cancel = platform.timer(Math.min(leftMs, 1_000), resolve, true);
      server.changed = () => {
        cancel();
        resolve();
      };
    });
  }
}
