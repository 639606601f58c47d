// The page of `pawl ui run.zip`: fetches the archive from the command that serves it, checks it here, and shows what follows. It asks no server and no store for
// anything else.
import "../style/tokens.css";
import "../style/base.css";
import "../style/parts.css";
import "./evidence.css";
import { render } from "preact";
import type { VerifyOptions } from "../../src/verify.ts";
import { checkArchive } from "./checked.ts";
import { Archive, Refused, Waiting } from "./view.tsx";

const app = document.getElementById("app")!;
render(<Waiting />, app);

async function fetched(path: string, key: string): Promise<Response> {
  const response = await fetch(path, { headers: { "x-pawl-key": key } });
  if (!response.ok)
    throw new Error(
      response.status === 401 ? "this address is not complete: copy all of what pawl ui printed" : `the answer was ${response.status}`,
    );
  return response;
}

async function show(): Promise<void> {
  const key = /[#&]key=(\w+)/.exec(location.hash)?.[1] ?? "";
  const asked = (await (await fetched("./asked.json", key)).json()) as VerifyOptions & { readonly file: string };
  const bytes = new Uint8Array(await (await fetched("./archive", key)).arrayBuffer());
  const { file, ...options } = asked;
  document.title = `${file} · Pawl`;
  render(<Archive file={file} bytes={bytes.length} keys={Object.keys(options)} checked={await checkArchive(bytes, options)} />, app);
}

show().catch((e: unknown) => render(<Refused why={e instanceof Error ? e.message : String(e)} />, app));
