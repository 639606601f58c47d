// The four ways to send a signal to a server, over real sockets: REST, JSON-RPC, the HTTP client, and the command line as a process. Each says what it
// heard in one shape, and keeps the whole text of the answer, so that tests can look for what must not be in it.
import { inspect } from "node:util";
import { connect, type HttpClient } from "../../src/http.ts";
import type { PawlError } from "../../src/errors/error.ts";
import type { AcceptedSignalResult } from "../../src/client/types.ts";
import { segmentOf } from "../../src/api/address.ts";
import { CliFolder } from "../cli/pawl-process.ts";

export type TransportName = "REST" | "JSON-RPC" | "client" | "CLI";

/** The answer in the transport's own envelope, and what is in it. */
export interface Heard {
  /** REST: the status. JSON-RPC: the error's code, 0 for a result. CLI: the exit code. client: 0, or 1 for a rejection. */
  readonly said: number;
  readonly result?: AcceptedSignalResult;
  readonly replayed?: boolean;
  readonly fault?: { readonly code: string; readonly page: string; readonly outcome?: string; readonly data: Record<string, unknown> };
  /** JSON-RPC: the id of the answer. */
  readonly id?: unknown;
  readonly contentType?: string;
  readonly text: string;
}

export interface SignalToSend {
  readonly to: string;
  readonly name: string;
  readonly payload?: unknown;
  /** Absent: the member is left out. */
  readonly signalId?: unknown;
}

export interface Transport {
  readonly name: TransportName;
  signal(s: SignalToSend): Promise<Heard>;
}

export interface Transports {
  readonly all: readonly Transport[];
  readonly client: HttpClient;
  /** REST, JSON-RPC and the client: what costs no process. */
  readonly quick: readonly Transport[];
  /** One JSON-RPC call with an id of the test's own. */
  rpc(id: unknown, s: SignalToSend): Promise<Heard>;
}

export async function transportsTo(url: string): Promise<Transports> {
  const client = await connect({ url });
  let calls = 0;
  const rpc = (id: unknown, s: SignalToSend): Promise<Heard> => overRpc(url, id, s);
  const quick: Transport[] = [
    { name: "REST", signal: (s) => overRest(url, s) },
    { name: "JSON-RPC", signal: (s) => rpc(`call-${++calls}`, s) },
    { name: "client", signal: (s) => overClient(client, s) },
  ];
  return { client, quick, rpc, all: [...quick, { name: "CLI", signal: (s) => overCommand(url, s) }] };
}

const membersOf = ({ name, payload, ...s }: SignalToSend): Record<string, unknown> => ({
  name,
  payload,
  ...("signalId" in s ? { signalId: s.signalId } : {}),
});

async function overRest(url: string, s: SignalToSend): Promise<Heard> {
  const response = await fetch(`${url}/v1/runs/${segmentOf(s.to)}/signals`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(membersOf(s)),
  });
  const text = await response.text();
  const body = JSON.parse(text) as Record<string, unknown>;
  const contentType = response.headers.get("content-type") ?? "";
  if (response.ok) return { said: response.status, contentType, text, ...acceptedIn(body) };
  return { said: response.status, contentType, text, fault: faultIn(body) };
}

async function overRpc(url: string, id: unknown, s: SignalToSend): Promise<Heard> {
  const response = await fetch(`${url}/rpc`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id, method: "runs.signal", params: { id: s.to, ...membersOf(s) } }),
  });
  const text = await response.text();
  const body = JSON.parse(text) as {
    id: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; data: Record<string, unknown> };
  };
  const contentType = response.headers.get("content-type") ?? "";
  if (body.error === undefined) return { said: 0, id: body.id, contentType, text, ...acceptedIn(body.result!) };
  return { said: body.error.code, id: body.id, contentType, text, fault: faultIn(body.error.data) };
}

async function overClient(client: HttpClient, s: SignalToSend): Promise<Heard> {
  try {
    const heard = await client.signal(s.to, s.name, s.payload, "signalId" in s ? { signalId: s.signalId } : {});
    return { said: 0, text: JSON.stringify(heard), ...acceptedIn(heard as unknown as Record<string, unknown>) };
  } catch (thrown) {
    const e = thrown as PawlError;
    const text = JSON.stringify(e) + inspect(e, { depth: 9, showHidden: true }) + String(e.stack);
    return { said: 1, text, fault: { code: e.code, page: e.page, outcome: e.outcome, data: { ...e.data } } };
  }
}

async function overCommand(url: string, s: SignalToSend): Promise<Heard> {
  const id = "signalId" in s ? ["--signal-id", String(s.signalId)] : [];
  const payload = s.payload === undefined ? [] : ["--payload", JSON.stringify(s.payload)];
  const { code, out, err } = await new CliFolder().pawl("signal", s.to, s.name, ...payload, ...id, "--json", "--url", url);
  if (code === 0) return { said: code, text: out + err, ...acceptedIn(JSON.parse(out) as Record<string, unknown>) };
  const fault = JSON.parse(err) as { code: string; data: Record<string, unknown> };
  return { said: code ?? -1, text: out + err, fault: { code: fault.code, page: fault.code, data: fault.data } };
}

function acceptedIn({ result, replayed }: Record<string, unknown>): Pick<Heard, "result" | "replayed"> {
  return { result: result as AcceptedSignalResult, replayed: replayed as boolean };
}

function faultIn({ code, page, outcome, data }: Record<string, unknown>): NonNullable<Heard["fault"]> {
  return { code: code as string, page: page as string, outcome: outcome as string, data: data as Record<string, unknown> };
}
