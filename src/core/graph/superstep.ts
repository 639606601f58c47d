// How a superstep is written into a log, and read again: the event that ends it, with what its items returned and what is to be done next. What
// is too large for one event goes before it in parts, which mean nothing without it. Pure; reading runs no code of the author's.
import { utf8Length } from "../names.ts";
import type { ChannelKind, Tree, Trees } from "./channels.ts";
import type { CaughtFailure, JoinState, WorkItem } from "./plan.ts";

/** An item that ended in this superstep. */
export interface SuperstepItem {
  readonly item: string;
  readonly node: string;
  /** Decimal. */
  readonly orderKey: string;
  readonly ok: boolean;
  /** What it returned, without channels of kind reduce, whose new values are in `set`. */
  readonly update?: Trees | undefined;
  /** Hex SHA-256 over the canonical text of all that it returned; absent: nothing. */
  readonly updateHash?: string;
  readonly failure?: { readonly code: string; readonly message: string };
  /** Where its edge led; `node*3` for three sends in a row. */
  readonly route: readonly string[];
}
export interface FrontierEntry {
  readonly item: string;
  readonly node: string;
  readonly orderKey: string;
  readonly path: string;
  readonly input?: Tree;
  readonly failures?: readonly CaughtFailure[];
}

/** The large members. */
interface Body {
  /** The whole state: of the first superstep of a log. */
  readonly state?: Trees | undefined;
  /** New values of channels of kind reduce. */
  readonly set?: Trees | undefined;
  readonly items: readonly SuperstepItem[];
  readonly frontier: readonly FrontierEntry[];
}
export interface SuperstepPayload extends Body {
  readonly n: number;
  /** The checkpoint's key (L-36). */
  readonly key: string;
  /** A signed 64-bit number, decimal. */
  readonly seed: string;
  /** What the code knew as the time, in ms. */
  readonly now: number;
  readonly joins: JoinState;
  readonly counters: Readonly<Record<string, number>>;
  /** An edge has led to the end, in this superstep or before. */
  readonly ended: boolean;
  /** What a node called it. */
  readonly label?: string | undefined;
  /** Nodes of it after which a person must let the run continue. */
  readonly interrupts?: readonly string[] | undefined;
  /** Of the first superstep of a log: kinds of the channels, by name. */
  readonly channels?: Readonly<Record<string, ChannelKind>> | undefined;
}
interface Head extends Omit<SuperstepPayload, keyof Body> {
  /** The body is in so many parts before it. */
  readonly parts?: number;
}
interface PartPayload {
  readonly n: number;
  readonly part: number;
  readonly text: string;
}

/** A body of more characters goes into parts of at most so many, and of no more bytes as they are stored. */
const bodyMax = 65_536;
const partMax = 180_000;
const partBytesMax = 262_144;
/** What a part has besides its text. */
const partHeadBytes = 64;

const noParts: readonly string[] = [];

export interface WrittenSuperstep {
  readonly parts: readonly string[];
  readonly payload: string;
}

export function writeSuperstep(s: SuperstepPayload): WrittenSuperstep {
  const { n, key, seed, now, joins, counters, ended, channels, label, interrupts, state, set, items, frontier } = s;
  // Members named, none spread: a spread costs as much as a hash, and every superstep passes here.
  const payload = JSON.stringify({ n, key, seed, now, joins, counters, ended, channels, label, interrupts, state, set, items, frontier });
  if (payload.length <= bodyMax) return { parts: noParts, payload };
  const body = JSON.stringify({ state, set, items, frontier });
  if (body.length <= bodyMax) return { parts: noParts, payload };
  const texts = cutText(body);
  const parts = texts.map((text, part) => JSON.stringify({ n, part, text } satisfies PartPayload));
  return {
    parts,
    payload: JSON.stringify({ n, key, seed, now, joins, counters, ended, channels, label, interrupts, parts: parts.length } satisfies Head),
  };
}

/** `parts`: the texts of the parts before it, in their order. */
export function readSuperstep(payload: string, parts: readonly string[]): SuperstepPayload {
  const head = JSON.parse(payload) as SuperstepPayload & Head;
  if (head.parts === undefined) return head;
  const body = JSON.parse(parts.slice(-head.parts).join("")) as Body;
  return { ...head, ...body };
}
export function readPart(payload: string): PartPayload {
  return JSON.parse(payload) as PartPayload;
}

function cutText(text: string): string[] {
  const out: string[] = [];
  for (let at = 0; at < text.length;) {
    let piece = pieceOf(text, at, partMax);
    // Quotes and other alphabets take more bytes than characters.
    for (let size = partMax / 2; utf8Length(JSON.stringify(piece)) > partBytesMax - partHeadBytes; size /= 2)
      piece = pieceOf(text, at, size);
    out.push(piece);
    at += piece.length;
  }
  return out;
}
/** Never ends between the two halves of one character. */
function pieceOf(text: string, at: number, size: number): string {
  const to = Math.min(text.length, at + Math.ceil(size));
  const last = text.charCodeAt(to - 1);
  return text.slice(at, to < text.length && last >= 0xd800 && last <= 0xdbff ? to - 1 : to);
}

/** The item that a step belongs to: `3/read~2` of `3/read~2/fetch`. */
export function itemOfStep(stepId: string): string {
  return stepId.split("/", 2).join("/");
}

export function frontierEntry({ item, node, orderKey, path, input, failures }: WorkItem): FrontierEntry {
  const entry = { item, node, orderKey: String(orderKey), path };
  return input === undefined && failures === undefined ? entry : { ...entry, ...more(input, failures) };
}
export function workItem(e: FrontierEntry): WorkItem {
  return { item: e.item, node: e.node, orderKey: BigInt(e.orderKey), path: e.path, ...more(e.input, e.failures) };
}
function more(input: Tree, failures: readonly CaughtFailure[] | undefined): object {
  return { ...(input === undefined ? {} : { input }), ...(failures === undefined ? {} : { failures }) };
}

/** "read", "read" and "read" in a row become "read*3". */
export function routeText(targets: readonly string[]): readonly string[] {
  const out: { to: string; times: number }[] = [];
  for (const to of targets) {
    const last = out.at(-1);
    if (last?.to === to) last.times++;
    else out.push({ to, times: 1 });
  }
  return out.map(({ to, times }) => (times === 1 ? to : `${to}*${times}`));
}
