// `pawl append`: events of a file or of standard input, a line each, appended to their runs in order. Each line is answered on
// its own: one that is invalid or rejected is reported, and the rest continues. Running it again is safe: existing events are recognised.
import type { AppendRejection, Appended } from "../../../log/append-types.ts";
import { isPawlError, PawlError } from "../../../errors/error.ts";
import type { RunEventWrite } from "../../../core/contract.ts";
import { readLines } from "../../../platform/line-files.ts";
import { stdinLines, writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printNote, printJsonLine } from "../../output/print.ts";
import { ProgressLine } from "../../output/progress-line.ts";
import { withSession, type CliSession } from "../../session.ts";

export interface AppendCommandOptions extends JsonOption, StoreOptions {
  readonly validate?: boolean;
  readonly forget?: boolean;
}

const chunkLines = 500;

interface Line {
  readonly line: number;
  readonly event: RunEventWrite;
}
type LineResult = (Appended | AppendRejection) & { readonly line: number; readonly runId?: string; readonly eventType?: string };
interface Tally {
  appended: number;
  known: number;
  differ: number;
  invalid: number;
  rejected: number;
}

export async function appendCommand(args: readonly string[], o: AppendCommandOptions): Promise<number> {
  const file = args[0] ?? "-";
  const total = file === "-" ? 0 : await countLines(file);
  return withSession(
    o,
    async (s) => {
      const tally: Tally = { appended: 0, known: 0, differ: 0, invalid: 0, rejected: 0 };
      const progress = new ProgressLine(s.platform);
      let [at, chunk]: [number, Line[]] = [0, []];
      const flush = async (): Promise<void> => {
        for (const told of await appendLines(s, chunk, o)) printResult(told, tally, o, progress);
        chunk = [];
        if (total > 0) progress.update(at, total, "lines");
      };
      for await (const text of file === "-" ? stdinLines() : (readLines(file) ?? [])) {
        at++;
        if (text.trim() === "") continue;
        const event = parsed(text);
        if (event === undefined) printResult({ ...invalid("is not JSON", ""), line: at }, tally, o, progress);
        else chunk.push({ line: at, event });
        if (chunk.length >= chunkLines) await flush();
      }
      await flush();
      progress.clear();
      if (o.json !== true) writeOut(summary(tally));
      if (tally.rejected > 0) return exitCodes.conflict;
      return tally.invalid > 0 ? exitCodes.usage : exitCodes.ok;
    },
    true,
  );
}

/** An invalid event refuses its whole batch: it is taken out and reported, and the others are appended without it. */
async function appendLines(s: CliSession, lines: readonly Line[], o: AppendCommandOptions): Promise<LineResult[]> {
  const told: LineResult[] = [];
  let left = lines;
  if (o.forget === true) for (const { event } of lines) await forgetRejection(s, event);
  while (left.length > 0) {
    try {
      const { results } = await s.client.append(
        left.map((l) => l.event),
        { validate: o.validate === true },
      );
      left.forEach(({ line, event }, i) => told.push({ ...results[i]!, line, runId: event.runId, eventType: event.eventType }));
      left = [];
    } catch (e) {
      if (!isPawlError(e, "PAWL4020")) throw e;
      const [, index = "", pointer = ""] = /^\/(\d+)(.*)$/.exec(String(e.data["pointer"])) ?? [];
      const bad = left[Number(index)];
      if (bad === undefined) throw e;
      told.push({ ...invalid(String(e.data["problem"]), pointer), line: bad.line });
      left = left.filter((l) => l !== bad);
    }
  }
  return told.sort((a, b) => a.line - b.line);
}

async function forgetRejection(s: CliSession, { runId, idempotencyKey }: RunEventWrite): Promise<void> {
  if (typeof runId === "string" && typeof idempotencyKey === "string") await s.client.clearRejection(runId, idempotencyKey);
}

function printResult(told: LineResult, tally: Tally, o: AppendCommandOptions, progress: ProgressLine): void {
  const failed = "code" in told;
  if (!failed) tally[told.persisted ? "appended" : "known"]++;
  else tally[told.code === "SCHEMA_VALIDATION_FAILED" ? "invalid" : "rejected"]++;
  if (!failed && told.samePayload === false) tally.differ++;
  if (o.json === true) printJsonLine(told);
  else if (failed) {
    progress.clear();
    printNote(`line ${told.line}: ${told.code}  ${told.message}`);
  }
}

function summary(t: Tally): string {
  const parts = [`${t.appended} appended`, `${t.known} already there`];
  if (t.differ > 0) parts.push(`${t.differ} of them with a different payload`);
  if (t.rejected > 0) parts.push(`${t.rejected} rejected`);
  if (t.invalid > 0) parts.push(`${t.invalid} invalid`);
  return `${parts.join(", ")}\n`;
}

function invalid(problem: string, pointer: string): AppendRejection {
  const message = `${pointer === "" ? "the line" : pointer} ${problem}`;
  return { code: "SCHEMA_VALIDATION_FAILED", message, runId: "", eventId: "", idempotencyKey: "", data: { pointer, problem } };
}

function parsed(text: string): RunEventWrite | undefined {
  try {
    return JSON.parse(text) as RunEventWrite;
  } catch {
    return undefined;
  }
}

async function countLines(file: string): Promise<number> {
  const lines = readLines(file);
  if (lines === undefined) throw new PawlError("PAWL4011", `there is no file ${file}`);
  let n = 0;
  for await (const _ of lines) n++;
  return n;
}
