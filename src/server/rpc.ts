// JSON-RPC 2.0 over POST /rpc: named params, batches, notifications. A method is an operation's name. Errors carry the problem object and use HTTP 200, except
// refusals that come before the body was read: those have their own status. It must never answer a notification.
import { type Operation, operations, operationSpecs } from "../api/operations.ts";
import { PawlError } from "../errors/error.ts";
import type { ServedAnswer } from "./http/answer.ts";
import { type Inbound, readBodyText } from "./http/inbound.ts";
import type { Admitted, RequestPath } from "./operate.ts";
import { bodyRefused, type Failed, Refusal } from "./problem.ts";
import type { Members } from "./rest.ts";
import { decodeValue, type Encoding, encodeValue, encodingOfAccept, encodingOfType, exactType, parseJson } from "./wire.ts";

type RpcId = string | number | null;

const batchMax = 50;
const bodyBytesMax = 16 * 1_048_576;

export class Rpc {
  readonly #path: RequestPath;

  constructor(path: RequestPath) {
    this.#path = path;
  }

  async answer(inbound: Inbound, traceId: string): Promise<ServedAnswer> {
    const { headers } = inbound;
    const out = encodingOfAccept(headers.get("accept"));
    let admitted: Admitted;
    let text: string;
    try {
      if (inbound.method !== "POST")
        throw new Refusal(new PawlError("PAWL4093", `${inbound.method} is not possible at /rpc`), { allow: "POST, OPTIONS" }, 405);
      admitted = await this.#path.admit(inbound, traceId);
    } catch (e) {
      const failed = this.#path.fail(e, traceId);
      return respond(failed.problem.status, errorText(null, failed), out, failed.headers);
    }
    try {
      text = await readBodyText(inbound, bodyBytesMax);
      const answer = await this.#answerText(admitted, text, encodingOfType(headers.get("content-type")) ?? "plain", out);
      return answer === undefined ? { status: 204, headers: {}, body: null } : respond(200, answer, out);
    } catch (e) {
      const failed = this.#path.fail(e, traceId);
      return respond(failed.problem.status, errorText(null, failed), out, failed.headers);
    } finally {
      admitted.end();
    }
  }

  /** Undefined: only notifications, which are not answered. */
  async #answerText(admitted: Admitted, text: string, given: Encoding, out: Encoding): Promise<string | undefined> {
    let json: unknown;
    try {
      json = parseJson(text, given);
    } catch (e) {
      const failed = this.#path.fail(e, admitted.traceId);
      return errorText(null, failed.problem.page === "PAWL4087" ? { ...failed, rpcCode: -32_700 } : failed);
    }
    if (!Array.isArray(json)) return this.#answerOne(admitted, json, given, out);
    if (json.length === 0 || json.length > batchMax)
      return this.#invalid(null, `a batch has 1 to ${batchMax} calls, not ${json.length}`, admitted.traceId);
    if (json.length > 1) admitted.count(json.length - 1);
    // Calls that change something happen in their order; reads wait for the changes before them, not for each other.
    let changed: Promise<unknown> = Promise.resolve();
    const answers = json.map((one: unknown) => {
      const answer = changed.then(() => this.#answerOne(admitted, one, given, out));
      if (isChange(one)) changed = answer;
      return answer;
    });
    const said = (await Promise.all(answers)).filter((answer) => answer !== undefined);
    return said.length === 0 ? undefined : `[${said.join(",")}]`;
  }

  async #answerOne(admitted: Admitted, call: unknown, given: Encoding, out: Encoding): Promise<string | undefined> {
    const { traceId } = admitted;
    if (typeof call !== "object" || call === null || Array.isArray(call)) return this.#invalid(null, "a call is an object", traceId);
    const { jsonrpc, method, params, id } = call as Members;
    const named = Object.hasOwn(call, "id");
    if (named && !isId(id)) return this.#invalid(null, "an id is text, a number or null", traceId);
    const to = named ? (id as RpcId) : null;
    if (jsonrpc !== "2.0") return this.#invalid(to, 'jsonrpc must be "2.0"', traceId);
    if (typeof method !== "string") return this.#invalid(to, "method must be text", traceId);
    if (params !== undefined && (typeof params !== "object" || params === null))
      return this.#invalid(to, "params must be an object", traceId);
    try {
      const operation = operationNamed(method);
      if (Array.isArray(params)) throw new PawlError("PAWL4011", "params must have names: send an object");
      const input = params === undefined ? {} : decodeValue(params, given);
      if (typeof input !== "object" || input === null || Object.getPrototypeOf(input) !== Object.prototype)
        throw new PawlError("PAWL4011", "params must be an object");
      const reply = await this.#path.perform(admitted, operation, input as Members);
      return named ? `{"jsonrpc":"2.0","id":${JSON.stringify(to)},"result":${encodeValue(reply.body, out)}}` : undefined;
    } catch (e) {
      const failed = this.#path.fail(e, traceId);
      const unknownMethod = e instanceof NoMethod;
      return named ? errorText(to, unknownMethod ? { ...failed, rpcCode: -32_601 } : failed) : undefined;
    }
  }

  #invalid(id: RpcId, message: string, traceId: string): string {
    return errorText(id, this.#path.fail(bodyRefused(400, message), traceId));
  }
}

class NoMethod extends PawlError {}

function operationNamed(method: string): Operation {
  const there = Object.hasOwn(operations, method);
  const reason = there ? operationSpecs[method as Operation].notOn : undefined;
  if (there && !(reason?.startsWith("JSON-RPC") ?? false)) return method as Operation;
  const why = there ? `${method} is not a method: ${reason ?? ""}` : `there is no method ${method.slice(0, 100)}`;
  throw new NoMethod("PAWL4093", why);
}

function isId(id: unknown): id is RpcId {
  return id === null || typeof id === "string" || typeof id === "number";
}

function isChange(call: unknown): boolean {
  const method = typeof call === "object" && call !== null ? (call as Members)["method"] : undefined;
  return typeof method === "string" && Object.hasOwn(operations, method) && operationSpecs[method as Operation].changes === true;
}

function errorText(id: RpcId, { problem, rpcCode }: Pick<Failed, "problem" | "rpcCode">): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: rpcCode, message: problem.detail, data: problem } });
}

function respond(status: number, text: string, out: Encoding, more: Readonly<Record<string, string>> = {}): ServedAnswer {
  const type = out === "exact" ? exactType : "application/json";
  const headers = { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff", ...more };
  return { status, headers, body: text };
}
