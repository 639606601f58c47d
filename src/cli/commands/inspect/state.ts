// `pawl state` and `pawl history`: where a graph stood after a superstep, read from its log. They only look; an engine need not be alive, and no code
// of the author's is run.
import type { GraphStreamItem, Standpoint } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonlOption, JsonOption, LimitOption, StoreOptions } from "../../shared-options.ts";
import { clip, withoutControlChars } from "../../output/format.ts";
import { printJson, printJsonLine } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount, parseSuperstep } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { withSession } from "../../session.ts";

export interface StateOptions extends JsonOption, StoreOptions {
  readonly at?: string;
}
export interface HistoryOptions extends LimitOption, JsonOption, JsonlOption, StoreOptions {
  readonly before?: string;
  readonly follow?: boolean;
  readonly after?: string;
}

export async function stateCommand(args: readonly string[], o: StateOptions): Promise<number> {
  const at = parseSuperstep(o.at);
  return withSession(o, async (s) => {
    const found = await s.client.state(args[0] ?? "", at === undefined ? {} : { at });
    if (found === undefined) throw new PawlError("PAWL4011", `no superstep ${at} has ended`);
    if (o.json === true) printJson(found);
    else
      writeOut(
        [
          line(found),
          ...Object.entries(found.values).map(
            ([name, value]) => `  ${withoutControlChars(name)}  ${withoutControlChars(clip(JSON.stringify(value) ?? "", 400))}`,
          ),
          "",
        ].join("\n"),
      );
    return exitCodes.ok;
  });
}

export async function historyCommand(args: readonly string[], o: HistoryOptions): Promise<number> {
  const [before, limit] = [parseCount(o.before, "--before", 0), parseCount(o.limit, "--limit", 1)];
  if (o.follow === true) return follow(args[0] ?? "", o);
  return withSession(o, async (s) => {
    const all = await s.client.history(args[0] ?? "", {
      ...(before === undefined ? {} : { before }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (o.json === true) printJson({ history: all });
    else if (o.jsonl === true) for (const p of all) printJsonLine(p);
    else writeOut(all.map((p) => `${line(p)}\n`).join(""));
    return exitCodes.ok;
  });
}

async function follow(id: string, o: HistoryOptions): Promise<number> {
  const after = parseCount(o.after, "--after", 0);
  const interrupt = listenForInterrupt();
  const stop = new AbortController();
  void interrupt.requested.then(() => stop.abort());
  try {
    return await withSession(o, async (s) => {
      for await (const item of s.client.streamGraph(id, { signal: stop.signal, ...(after === undefined ? {} : { after }) })) {
        if (o.json === true || o.jsonl === true) printJsonLine(item);
        else if (item.mode === "updates") writeOut(updateLine(item));
        else if (item.mode === "end") writeOut(`${item.status}\n`);
      }
      return interrupt.happened() ? exitCodes.interrupted : exitCodes.ok;
    });
  } finally {
    interrupt.stopListening();
  }
}

function updateLine({ superstep, item, update, failure }: GraphStreamItem & { mode: "updates" }): string {
  const said = failure === undefined ? JSON.stringify(update) : `failed: ${failure.message}`;
  return `${withoutControlChars(`${superstep}  ${item}  ${clip(said, 400)}`)}\n`;
}

function line({ superstep, label, at, items, next }: Standpoint): string {
  const ran = items.map((i) => `${i.node}${i.ok ? "" : " failed"}`).join(", ");
  const then = next.length === 0 ? "nothing" : next.map((n) => n.node).join(", ");
  const named = label === undefined ? "" : `  (${label})`;
  return withoutControlChars(`${superstep}${named}  ${at}  ${clip(ran, 120)} -> ${clip(then, 120)}`);
}
