// `pawl webhooks`: endpoints and what became of their deliveries. A new secret is printed once, on standard output, and cannot be
// asked for again. Sending is `pawl deliver`; only `test` sends something itself.
import type { Client } from "../../../client/types.ts";
import { durationMs, type Duration } from "../../../core/duration.ts";
import { PawlError } from "../../../errors/error.ts";
import { readText } from "../../../platform/files.ts";
import { colourAllowed, readStdin, writeOut } from "../../../platform/terminal.ts";
import type {
  DeliveryState,
  DeliveryView,
  EndpointSecret,
  EndpointView,
  NewEndpoint,
  ReplayWhat,
  Webhooks,
} from "../../../webhooks/types.ts";
import type { JsonOption, LimitOption, ReasonOption, StoreOptions, TimeoutOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { paint } from "../../output/colors.ts";
import { printNote, printJson } from "../../output/print.ts";
import { withSession } from "../../session.ts";
import { clip, formatTime, withoutControlChars, formatTable } from "../../output/format.ts";

export interface WebhooksOptions extends TimeoutOption, ReasonOption, LimitOption, JsonOption, StoreOptions {
  readonly id?: string;
  readonly event?: readonly string[];
  readonly fromStart?: boolean;
  readonly scheme?: string;
  readonly secret?: string;
  readonly attempts?: string;
  readonly overlap?: string;
  readonly dead?: boolean;
  readonly run?: string;
  readonly since?: string;
  readonly status?: readonly string[];
  readonly allowInsecure?: boolean;
  readonly allowPrivate?: boolean;
}

type WebhookAction = (w: Webhooks, id: string, o: WebhooksOptions, nowMs: number) => Promise<number>;

const webhookActions: Readonly<Record<string, WebhookAction>> = {
  list: async (w, _, o) => {
    const endpoints = await w.list();
    if (o.json === true) printJson({ endpoints });
    else if (endpoints.length === 0) printNote("no endpoints");
    else writeOut(endpointTable(endpoints));
    return exitCodes.ok;
  },
  add: async (w, url, o) => printSecret(await w.add(await newEndpoint(url, o)), o),
  remove: async (w, id, o) => {
    await w.remove(id);
    return printDone({ removed: id }, `${id} is removed, with its ledger`, o);
  },
  pause: async (w, id, o) => printDone({ endpoint: await w.pause(id, o.reason) }, `${id} is paused; events wait for it`, o),
  resume: async (w, id, o) => printDone({ endpoint: await w.resume(id) }, `${id} continues where it stopped`, o),
  rotate: async (w, id, o) => {
    const window = o.overlap === undefined ? {} : { window: o.overlap as Duration };
    return printSecret(await w.rotate(id, { ...(await readSecret(o)), ...window }), o);
  },
  test: async (w, id, o) => {
    const result = await w.test(id, { allowInsecure: o.allowInsecure === true, allowPrivate: o.allowPrivate === true });
    printDone(result, result.delivered ? `delivered (${result.status})` : `not delivered: ${result.error}`, o);
    return result.delivered ? exitCodes.ok : exitCodes.checkFailed;
  },
  replay: async (w, id, o) => {
    const { runs } = await w.replay(id, parseReplay(o));
    return printDone({ runs }, `events of ${runs} run${runs === 1 ? "" : "s"} will be sent again by pawl deliver`, o);
  },
  dead: async (w, id, o, nowMs) => printDeliveries(await w.dead(id, parseLimit(o)), o, nowMs),
  deliveries: async (w, id, o, nowMs) => {
    const state = o.dead === true ? "dead" : parseState(o.status?.[0]);
    return printDeliveries(await w.deliveries(id, { ...parseLimit(o), ...(state === undefined ? {} : { state }) }), o, nowMs);
  },
};

export async function webhooksCommand(args: readonly string[], o: WebhooksOptions): Promise<number> {
  const [name = "", operand] = args;
  const act = Object.hasOwn(webhookActions, name) ? webhookActions[name] : undefined;
  if (act === undefined)
    throw new PawlError("PAWL4011", `webhooks takes ${Object.keys(webhookActions).join(", ")}, not ${JSON.stringify(name)}`);
  if (operand === undefined && name !== "list")
    throw new PawlError("PAWL4011", `webhooks ${name} needs ${name === "add" ? "a URL" : "an endpoint's id"}`);
  return withSession(o, (s: { client: Client; platform: { wallMs(): number } }) =>
    act(s.client.webhooks, operand ?? "", o, s.platform.wallMs()),
  );
}

async function newEndpoint(url: string, o: WebhooksOptions): Promise<NewEndpoint> {
  const attempts = parseCount(o.attempts, "--attempts", 1);
  return {
    url,
    ...(o.id === undefined ? {} : { id: o.id }),
    ...(o.event === undefined ? {} : { events: o.event }),
    ...(o.fromStart === true ? { from: "start" } : {}),
    ...(attempts === undefined ? {} : { attempts }),
    ...(o.timeout === undefined ? {} : { timeout: durationMs(o.timeout as Duration, "--timeout") }),
    ...(o.allowInsecure === true ? { allowInsecure: true } : {}),
    ...(await readSecret(o)),
  };
}

/** Never as an argument, which every process of the machine could read. */
async function readSecret(o: WebhooksOptions): Promise<Pick<NewEndpoint, "secret" | "scheme">> {
  const scheme = o.scheme === undefined ? {} : { scheme: o.scheme as "hmac" };
  if (o.secret === undefined) return scheme;
  const text = o.secret === "-" ? await readStdin() : readText(o.secret);
  if (text === undefined) throw new PawlError("PAWL4011", `--secret: there is no file ${o.secret}`);
  return { ...scheme, secret: text.trim() };
}

function parseReplay(o: WebhooksOptions): ReplayWhat {
  const event = o.event?.[0];
  const given = [o.dead === true, o.since !== undefined, o.run !== undefined || event !== undefined].filter(Boolean).length;
  if (given !== 1 || (o.event?.length ?? 0) > 1)
    throw new PawlError("PAWL4011", "replay takes one of --event <id>, --run <run>, --dead, --since <time>");
  if (o.dead === true) return { dead: true };
  if (o.since !== undefined) return { since: o.since };
  if (event === undefined) return { run: o.run ?? "" };
  return { event, ...(o.run === undefined ? {} : { run: o.run }) };
}

function parseState(text: string | undefined): DeliveryState | undefined {
  if (text === undefined || text === "delivered" || text === "waiting" || text === "dead") return text;
  throw new PawlError("PAWL4011", `--status takes delivered, waiting or dead, not ${JSON.stringify(text)}`);
}

function parseLimit(o: WebhooksOptions): { limit?: number } {
  const limit = parseCount(o.limit, "--limit", 1);
  return limit === undefined ? {} : { limit };
}

function printDone(answer: unknown, text: string, o: WebhooksOptions): number {
  if (o.json === true) printJson(answer);
  else printNote(text);
  return exitCodes.ok;
}

function printSecret(made: EndpointSecret, o: WebhooksOptions): number {
  const { endpoint, secret } = made;
  if (o.json === true) printJson(made);
  else {
    printNote(`endpoint ${endpoint.id}: ${endpoint.url}`);
    printNote(secret === undefined ? "receivers verify with this public key:" : "the secret, which is not shown again:");
    writeOut(`${secret ?? endpoint.keys[0]?.publicKey ?? ""}\n`);
  }
  return exitCodes.ok;
}

function endpointTable(all: readonly EndpointView[]): string {
  const p = paint(colourAllowed("out"));
  const rows = all.map((e) => [
    e.id,
    clip(e.url, 60),
    e.paused === undefined ? "active" : `paused: ${clip(e.paused.reason, 40)}`,
    String(e.waiting),
    clip(e.events.join(" "), 40),
  ]);
  return formatTable([["ENDPOINT", "URL", "STATE", "WAITING", "EVENTS"], ...rows], (cell, row) => (row === 0 ? p.dim(cell) : cell));
}

function printDeliveries(all: readonly DeliveryView[], o: WebhooksOptions, nowMs: number): number {
  if (o.json === true) printJson({ deliveries: all });
  else if (all.length === 0) printNote("no deliveries");
  else {
    const p = paint(colourAllowed("out"));
    const rows = all.map((d) => [
      d.eventId,
      withoutControlChars(d.eventType),
      `${withoutControlChars(d.runId)} ${d.runSeq}`,
      d.state,
      String(d.attempts),
      lastAttemptText(d, nowMs),
    ]);
    writeOut(
      formatTable([["EVENT", "TYPE", "RUN", "STATE", "ATTEMPTS", "LAST"], ...rows], (cell, row) => (row === 0 ? p.dim(cell) : cell)),
    );
  }
  return exitCodes.ok;
}

function lastAttemptText(d: DeliveryView, nowMs: number): string {
  if (d.at !== undefined) return `${d.status ?? ""} at ${formatTime(d.at, nowMs)}${d.replay === true ? ", replay" : ""}`;
  const next = d.nextAt === undefined ? "" : `; again at ${formatTime(d.nextAt, nowMs)}`;
  return `${clip(d.error ?? "", 60)}${next}`;
}
