// Screen 10: every operation that this page and any program can call, with what it needs and a command that calls it. The list is the catalogue itself, so it cannot
// be out of date. It never shows a token: the command names the variable that holds one.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../../../src/api/address.ts";
import { examples } from "../../../src/api/examples.ts";
import { operationSpecs, type Operation, type OperationSpec } from "../../../src/api/operations.ts";
import { serverBase } from "../../data/server.ts";
import { me } from "../../data/session.ts";
import { Badge } from "../../parts/badges.tsx";
import { Command } from "../../parts/copy.tsx";
import "../../style/operations.css";

export function Api(): JSX.Element {
  const [text, setText] = useState("");
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== "");
  const all = Object.entries(operationSpecs) as [Operation, OperationSpec][];
  const shown = all.filter(([name, { summary, rest }]) => words.every((w) => `${name} ${summary} ${rest}`.toLowerCase().includes(w)));
  return (
    <section>
      <h1>API</h1>
      <p class="quiet">
        REST below <code>{serverBase}/v1</code>, JSON-RPC at <code>/rpc</code>, MCP at <code>/mcp</code>, and its description at{" "}
        <a href="./openapi.json">openapi.json</a>. This page calls nothing else.
      </p>
      <p>
        <input
          type="search"
          data-filter
          aria-label="Find an operation"
          placeholder="retry"
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
        />
      </p>
      {shown.map(([name, spec]) => (
        <details key={name} class="operation">
          <summary>
            <code>{name}</code>
            <span>{spec.summary}</span>
            <Badge tone={spec.destructive === true ? "bad" : spec.changes === true ? "warn" : "calm"} text={spec.scope} />
          </summary>
          <p class="small quiet">
            <code>{spec.rest.replace(" ", " /v1")}</code>
            {spec.idempotentBy === undefined ? null : ` · sent again with the same ${spec.idempotentBy}, it acts once`}
            {spec.destructive === true ? " · needs a reason" : null}
          </p>
          <Command text={curlOf(name)} />
        </details>
      ))}
    </section>
  );
}

/** A command that works as it stands, but for the ids: the request of the reference's example. Where nobody signs in, it needs no token. */
function curlOf(operation: Operation): string {
  const { method, path, body } = addressOf(operation, examples[operation].input as Readonly<Record<string, unknown>>);
  const sent = body === undefined ? "" : ` -H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`;
  const credential = me.value?.tokenId === undefined ? "" : ' -H "authorization: Bearer $PAWL_TOKEN"';
  return `curl -sS${method === "POST" ? " -X POST" : ""}${credential}${sent} ${quoted(`${serverBase}${path}`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
