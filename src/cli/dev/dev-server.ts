// The parts of `pawl dev`, put together: the supervisor of the code, the port in front of it, the crash lab, the runs that a change stopped, and the
// file by which other commands find all this. Its opener closes it. It must never listen on an address that others can reach.
import { PawlError } from "../../errors/error.ts";
import { withoutPassword } from "../../core/store-url.ts";
import type { Scope } from "../../core/model.ts";
import { listenHttp } from "../../platform/net/listen.ts";
import type { Platform } from "../../platform/platform.ts";
import { cannotListen } from "../../server/http/cannot-listen.ts";
import { clientOfServer } from "../server-session.ts";
import type { DevNews } from "./console.ts";
import { DivergedRuns } from "./diverged.ts";
import { DevFront } from "./front.ts";
import { CrashLab, windowTitles } from "./lab.ts";
import { writeDevSession } from "./session-file.ts";
import { DevSupervisor } from "./supervisor.ts";

export interface DevServerOptions {
  readonly files: readonly string[];
  readonly store: string;
  readonly tenant: Scope;
  readonly host: string;
  readonly port: number;
  /** Buys sessions for links; null: nobody is asked who they are. */
  readonly token: { readonly token: string; readonly tokenId: string } | null;
  readonly platform: Platform;
  readonly say: (news: DevNews) => void;
}

export interface DevServer {
  /** Carries out a line that was typed; false: it says to end. */
  typed(line: string): Promise<boolean>;
  close(): Promise<void>;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 120_000;

export async function openDevServer(o: DevServerOptions): Promise<DevServer> {
  const { platform, say, token } = o;
  const name = o.host.includes(":") ? `[${o.host}]` : o.host;
  const code = { files: o.files, store: o.store, tenant: o.tenant, hosts: [name], open: token === null };
  const supervisor = new DevSupervisor(code, platform, {
    ready: (child, why) => say({ event: "ready", why, child }),
    failed: (problem, serving) => say({ event: "failed", problem, serving }),
    died: (child, { code, signal }) => say({ event: "died", child, how: signal ?? `exit code ${code ?? "unknown"}` }),
    changed: (paths) => say({ event: "changed", paths }),
  });
  const front = new DevFront(supervisor, platform, token?.token ?? null);
  const at = { host: o.host, port: o.port, headersTimeoutMs, requestTimeoutMs };
  const listening = await listenHttp(front.node, at).catch(async (e: unknown) => {
    await supervisor.close();
    throw cannotListen(e, o.host, o.port);
  });
  const url = `http://${name}:${listening.port}`;
  const client = clientOfServer({ url, ...(token === null ? {} : { token: token.token }) });
  const lab = new CrashLab({ process: supervisor, client, platform, onJudged: (trial) => say({ event: "judged", trial }) });
  const diverged = new DivergedRuns(client, platform, (run) => say({ event: "diverged", run }));
  const startAgain = async (id?: string): Promise<readonly unknown[]> => {
    const started = await diverged.startAgain(id);
    for (const one of started) say({ event: "again", ...one });
    return started;
  };
  front.serve({
    "/dev/state": async () => ({
      serving: supervisor.serving ?? null,
      problem: supervisor.problem,
      files: supervisor.files,
      diverged: diverged.runs,
      lab: { windows: windowTitles, trials: lab.trials },
    }),
    "/dev/crash": (body) => lab.crash({ run: text(body, "run"), step: text(body, "step"), window: text(body, "window") }),
    "/dev/again": async (body) => ({ started: await startAgain(body["run"] === undefined ? undefined : text(body, "run")) }),
  });
  const store = withoutPassword(o.store);
  const forget = writeDevSession({ url, token: token?.token ?? null, tokenId: token?.tokenId ?? null, store });
  say({ event: "listening", url, link: front.link(url), store });
  supervisor.start();
  return {
    typed: async (line) => {
      const [word = "", ...rest] = line.trim().split(/\s+/);
      if (word === "quit" || word === "q") return false;
      if (word === "link") say({ event: "link", link: front.link(url) });
      else if (word === "again") await startAgain(rest[0]);
      else if (word === "crash") await lab.crash({ run: rest[0] ?? "", step: rest[1] ?? "", window: rest[2] ?? "" });
      else if (word !== "") say({ event: "help" });
      return true;
    },
    close: async () => {
      forget();
      lab.close();
      diverged.close();
      await client.close();
      await supervisor.close();
      listening.closeAll();
      await listening.close();
    },
  };
}

function text(body: Readonly<Record<string, unknown>>, member: string): string {
  const value = body[member];
  if (typeof value !== "string" || value === "") throw new PawlError("PAWL4011", `${member} must be a text`);
  return value;
}
