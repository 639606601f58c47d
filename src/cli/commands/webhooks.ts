// `pawl webhooks`: endpoints and what became of their deliveries. A new secret is printed once, on standard output, and cannot be
// asked for again. Sending is `pawl deliver`; only `test` sends something itself.
import type { Client } from "../../client/types.ts";
import { durationMs, type Duration } from "../../core/duration.ts";
import { PawlError } from "../../errors/error.ts";
import { readText } from "../../platform/files.ts";
import { colourAllowed, readStdin, writeOut } from "../../platform/terminal.ts";
import type { DeliveryState, DeliveryView, EndpointSecret, EndpointView, NewEndpoint, ReplayWhat, Webhooks } from "../../webhooks/types.ts";
import type { Options } from "../command.ts";
import { exitCodes } from "../failure.ts";
import { givenCount } from "../given.ts";
import { paint } from "../paint.ts";
import { note, printJson } from "../print.ts";
import { withSession } from "../session.ts";
import { clipped, clockText, plain, table } from "../text.ts";

type Act = (w: Webhooks, id: string, o: Options, nowMs: number) => Promise<number>;

const acts: Readonly<Record<string, Act>> = {
  list: async (w, _, o) => {
    const endpoints = await w.list();
    if (o.json === true) printJson({ endpoints });
    else if (endpoints.length === 0) note("no endpoints");
    else writeOut(endpointTable(endpoints));
    return exitCodes.ok;
  },
  add: async (w, url, o) => shown(await w.add(await described(url, o)), o),
  remove: async (w, id, o) => {
    await w.remove(id);
    return done({ removed: id }, `${id} is removed, with its ledger`, o);
  },
  pause: async (w, id, o) => done({ endpoint: await w.pause(id, o.reason) }, `${id} is paused; events wait for it`, o),
  resume: async (w, id, o) => done({ endpoint: await w.resume(id) }, `${id} goes on where it stopped`, o),
  rotate: async (w, id, o) => {
    const window = o.overlap === undefined ? {} : { window: o.overlap as Duration };
    return shown(await w.rotate(id, { ...(await secretGiven(o)), ...window }), o);
  },
  test: async (w, id, o) => {
    const result = await w.test(id, { allowInsecure: o.allowInsecure === true, allowPrivate: o.allowPrivate === true });
    done(result, result.delivered ? `delivered (${result.status})` : `not delivered: ${result.error}`, o);
    return result.delivered ? exitCodes.ok : exitCodes.checkFailed;
  },
  replay: async (w, id, o) => {
    const { runs } = await w.replay(id, replayGiven(o));
    return done({ runs }, `events of ${runs} run${runs === 1 ? "" : "s"} will be sent again by pawl deliver`, o);
  },
  dead: async (w, id, o, nowMs) => listed(await w.dead(id, limitGiven(o)), o, nowMs),
  deliveries: async (w, id, o, nowMs) => {
    const state = o.dead === true ? "dead" : stateGiven(o.status?.[0]);
    return listed(await w.deliveries(id, { ...limitGiven(o), ...(state === undefined ? {} : { state }) }), o, nowMs);
  },
};

export async function webhooks(args: readonly string[], o: Options): Promise<number> {
  const [name = "", operand] = args;
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (act === undefined) throw new PawlError("PAWL4011", `webhooks takes ${Object.keys(acts).join(", ")}, not ${JSON.stringify(name)}`);
  if (operand === undefined && name !== "list")
    throw new PawlError("PAWL4011", `webhooks ${name} needs ${name === "add" ? "a URL" : "an endpoint's id"}`);
  return withSession(o, (s: { client: Client; platform: { wallMs(): number } }) =>
    act(s.client.webhooks, operand ?? "", o, s.platform.wallMs()),
  );
}

async function described(url: string, o: Options): Promise<NewEndpoint> {
  const attempts = givenCount(o.attempts, "--attempts", 1);
  return {
    url,
    ...(o.id === undefined ? {} : { id: o.id }),
    ...(o.event === undefined ? {} : { events: o.event }),
    ...(o.fromStart === true ? { from: "start" } : {}),
    ...(attempts === undefined ? {} : { attempts }),
    ...(o.timeout === undefined ? {} : { timeout: durationMs(o.timeout as Duration, "--timeout") }),
    ...(o.allowInsecure === true ? { allowInsecure: true } : {}),
    ...(await secretGiven(o)),
  };
}

/** Never as an argument, which every process of the machine could read. */
async function secretGiven(o: Options): Promise<Pick<NewEndpoint, "secret" | "scheme">> {
  const scheme = o.scheme === undefined ? {} : { scheme: o.scheme as "hmac" };
  if (o.secret === undefined) return scheme;
  const text = o.secret === "-" ? await readStdin() : readText(o.secret);
  if (text === undefined) throw new PawlError("PAWL4011", `--secret: there is no file ${o.secret}`);
  return { ...scheme, secret: text.trim() };
}

function replayGiven(o: Options): ReplayWhat {
  const event = o.event?.[0];
  const given = [o.dead === true, o.since !== undefined, o.run !== undefined || event !== undefined].filter(Boolean).length;
  if (given !== 1 || (o.event?.length ?? 0) > 1)
    throw new PawlError("PAWL4011", "replay takes one of --event <id>, --run <run>, --dead, --since <time>");
  if (o.dead === true) return { dead: true };
  if (o.since !== undefined) return { since: o.since };
  if (event === undefined) return { run: o.run ?? "" };
  return { event, ...(o.run === undefined ? {} : { run: o.run }) };
}

function stateGiven(text: string | undefined): DeliveryState | undefined {
  if (text === undefined || text === "delivered" || text === "waiting" || text === "dead") return text;
  throw new PawlError("PAWL4011", `--status takes delivered, waiting or dead, not ${JSON.stringify(text)}`);
}

function limitGiven(o: Options): { limit?: number } {
  const limit = givenCount(o.limit, "--limit", 1);
  return limit === undefined ? {} : { limit };
}

function done(answer: unknown, text: string, o: Options): number {
  if (o.json === true) printJson(answer);
  else note(text);
  return exitCodes.ok;
}

function shown(made: EndpointSecret, o: Options): number {
  const { endpoint, secret } = made;
  if (o.json === true) printJson(made);
  else {
    note(`endpoint ${endpoint.id}: ${endpoint.url}`);
    note(secret === undefined ? "receivers verify with this public key:" : "the secret, which is not shown again:");
    writeOut(`${secret ?? endpoint.keys[0]?.publicKey ?? ""}\n`);
  }
  return exitCodes.ok;
}

function endpointTable(all: readonly EndpointView[]): string {
  const p = paint(colourAllowed("out"));
  const rows = all.map((e) => [
    e.id,
    clipped(e.url, 60),
    e.paused === undefined ? "active" : `paused: ${clipped(e.paused.reason, 40)}`,
    String(e.waiting),
    clipped(e.events.join(" "), 40),
  ]);
  return table([["ENDPOINT", "URL", "STATE", "WAITING", "EVENTS"], ...rows], (cell, row) => (row === 0 ? p.dim(cell) : cell));
}

function listed(all: readonly DeliveryView[], o: Options, nowMs: number): number {
  if (o.json === true) printJson({ deliveries: all });
  else if (all.length === 0) note("no deliveries");
  else {
    const p = paint(colourAllowed("out"));
    const rows = all.map((d) => [
      d.eventId,
      plain(d.eventType),
      `${plain(d.runId)} ${d.runSeq}`,
      d.state,
      String(d.attempts),
      whatOf(d, nowMs),
    ]);
    writeOut(table([["EVENT", "TYPE", "RUN", "STATE", "ATTEMPTS", "LAST"], ...rows], (cell, row) => (row === 0 ? p.dim(cell) : cell)));
  }
  return exitCodes.ok;
}

function whatOf(d: DeliveryView, nowMs: number): string {
  if (d.at !== undefined) return `${d.status ?? ""} at ${clockText(d.at, nowMs)}${d.replay === true ? ", replay" : ""}`;
  const next = d.nextAt === undefined ? "" : `; again at ${clockText(d.nextAt, nowMs)}`;
  return `${clipped(d.error ?? "", 60)}${next}`;
}
