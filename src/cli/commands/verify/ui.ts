// `pawl ui`: the evidence of a run in a browser, without a store. It serves one page and the bytes of the archive on a loopback address; the page checks them by
// itself. The address has a key that nobody else knows. It must never serve another file.
import { PawlError } from "../../../errors/error.ts";
import { toProblem } from "../../../api/problem.ts";
import { matchesDigest } from "../../../platform/crypto/equal.ts";
import { sha256Hex } from "../../../platform/crypto/hash.ts";
import { listenHttp, type NodeListener, type NodeRequest, type NodeResponse } from "../../../platform/net/listen.ts";
import { ownBytes } from "../../../platform/own-package.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { isLoopback } from "../../../server/access/gates.ts";
import { Dashboard } from "../../../server/dashboard.ts";
import { guardAmbient } from "../../../server/guard.ts";
import { jsonAnswer, sendAnswer, type ServedAnswer } from "../../../server/http/answer.ts";
import { inboundOfNode, type InboundHere } from "../../../server/http/inbound.ts";
import { cannotListen } from "../../../server/http/cannot-listen.ts";
import { printJsonLine, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseListen } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import type { JsonOption } from "../../shared-options.ts";
import { readEvidenceFiles, type EvidenceFiles } from "./evidence-files.ts";

export interface UiCommandOptions extends JsonOption, EvidenceFiles {
  readonly listen?: string;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const anyPort = "127.0.0.1:0";

export async function uiCommand([path = ""]: readonly string[], o: UiCommandOptions): Promise<number> {
  const { host, port } = parseListen(o.listen ?? anyPort);
  if (!isLoopback(host)) throw new PawlError("PAWL5040", `pawl ui listens on loopback addresses only, not on ${host}`);
  const { archive, wanted } = readEvidenceFiles(path, o);
  if (ownBytes("dist", "dashboard", "evidence.html") === undefined)
    throw new PawlError("PAWL5001", "the dashboard was not built: npm run build:dashboard");
  const key = systemPlatform().randomHex(24);
  const name = host.includes(":") ? `[${host}]` : host;
  const page = pageServer(new Uint8Array(archive), { file: path.split(/[\\/]/).at(-1), ...wanted }, key, name);
  const interrupt = listenForInterrupt();
  try {
    const at = { host, port, headersTimeoutMs, requestTimeoutMs };
    const listening = await listenHttp(page, at).catch((e: unknown) => {
      throw cannotListen(e, host, port);
    });
    const url = `http://${name}:${listening.port}/#key=${key}`;
    if (o.json === true) printJsonLine({ url, file: path });
    else writeOut(`${url}\n`);
    printNote("open this address in a browser; Ctrl-C ends");
    await interrupt.requested;
    listening.closeAll();
    await listening.close();
    return exitCodes.ok;
  } finally {
    interrupt.stopListening();
  }
}

function pageServer(archive: Uint8Array<ArrayBuffer>, asked: object, key: string, host: string): NodeListener {
  const digest = sha256Hex(key);
  const files = new Dashboard((...path) => ownBytes(...path.map((part) => (part === "index.html" ? "evidence.html" : part))));
  const hosts = new Set(["localhost", "127.0.0.1", "[::1]", host]);
  const answer = (request: NodeRequest, response: NodeResponse): ServedAnswer => {
    const inbound = inboundOfNode(request, response, "");
    guardAmbient(inbound, { hosts });
    const path = inbound.path ?? "";
    if (files.owns(path)) return files.answer(inbound as InboundHere);
    if (path !== "/archive" && path !== "/asked.json") throw new PawlError("PAWL4093", "there is nothing at this address");
    if (!matchesDigest(inbound.headers.get("x-pawl-key") ?? "", digest))
      throw new PawlError("PAWL4080", "the key of this address is missing");
    if (path === "/asked.json") return jsonAnswer(200, asked);
    const headers = { "content-type": "application/zip", "cache-control": "no-store", "x-content-type-options": "nosniff" };
    return { status: 200, headers, body: archive };
  };
  return (request: NodeRequest, response: NodeResponse): void => {
    try {
      sendAnswer(answer(request, response), response);
    } catch (e) {
      const problem = toProblem(e);
      sendAnswer(jsonAnswer(problem.status, problem), response);
    }
  };
}
