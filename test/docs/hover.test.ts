// What an editor shows while people type: every member of the public interfaces says what it does, every one that is called shows how, and
// every example compiles against the types beside it. It looks at comments and types only: what the code does is for other tests.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const entries = ["index", "client", "http", "testing", "verifiers", "webhooks", "sqlite", "postgres", "mysql", "compat"];

/** Interfaces whose members people call, and those whose members they set. */
const called: Readonly<Record<string, readonly string[]>> = {
  "src/workflow/types.ts": ["Ctx", "ChildHandle"],
  "src/workflow/step-types.ts": ["StepScope", "Tx", "ResourceVerifier"],
  "src/client/engine-types.ts": ["Engine", "Handle"],
  "src/client/types.ts": ["Client"],
  "src/client/archive/types.ts": ["ArchiveVerbs"],
  "src/client/ledger/types.ts": ["LedgerVerbs"],
  "src/client/operate/types.ts": ["OperatorVerbs"],
  "src/client/reader-types.ts": ["ReaderVerbs"],
  "src/webhooks/types.ts": ["Webhooks", "Delivering"],
  "src/testing/test-engine.ts": ["TestEngine"],
  "src/testing/world.ts": ["World", "RecordingWorld"],
  "src/log/append-types.ts": ["AppendAuthority"],
  "src/log/producer.ts": ["Producer"],
  "src/readers/projector.ts": ["Projector"],
  "src/readers/stream-cursor.ts": ["StreamCursor"],
  "src/readers/subscribe.ts": ["Subscription"],
  "src/schedule/types.ts": ["ScheduleVerbs"],
};
const set: Readonly<Record<string, readonly string[]>> = {
  "src/workflow/types.ts": ["WorkflowDef"],
  "src/workflow/step-types.ts": ["CommonStepOpts", "Confirm", "TxOpts"],
  "src/engine/calls.ts": ["EffectStepScope"],
  "src/client/engine-types.ts": ["StartOpts", "EngineOpts", "SealOpts"],
  "src/client.ts": ["ConnectOpts"],
  "src/schedule/types.ts": ["ScheduleOpts"],
  "src/core/retry.ts": ["Retry"],
  "src/core/limits.ts": ["Limits"],
  "src/testing/test-engine.ts": ["TestEngineOpts"],
  "src/testing/matrix.ts": ["CrashMatrixOpts", "CrashMatrix"],
};

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: any;
}
interface Source {
  readonly file: string;
  readonly text: string;
  readonly body: readonly Node[];
  /** The JSDoc that ends right before this place; undefined when there is none. */
  docAt(start: number): string | undefined;
}

function read(file: string): Source {
  const text = readFileSync(resolve(root, file), "utf8");
  const { program, comments } = parseSync(file, text);
  const docs = new Map(
    comments
      .filter((c) => c.type === "Block" && c.value.startsWith("*"))
      .map((c) => [c.end + (/^\s*/.exec(text.slice(c.end))?.[0].length ?? 0), c.value]),
  );
  return { file, text, body: program.body as unknown as Node[], docAt: (start) => docs.get(start) };
}

/** The declaration of a name at the top of a file, and where the statement begins that holds it. */
function declaration(s: Source, name: string): { readonly node: Node; readonly start: number } | undefined {
  for (const n of s.body) {
    const node = (n.type === "ExportNamedDeclaration" ? n["declaration"] : n) as Node | null;
    if (node === null) continue;
    const ids = node.type === "VariableDeclaration" ? node["declarations"].map((d: Node) => d["id"].name) : [node["id"]?.name];
    if (ids.includes(name)) return { node, start: n.start };
  }
  return undefined;
}

const isCalled = (m: Node): boolean =>
  m.type === "TSMethodSignature" ||
  m["typeAnnotation"]?.typeAnnotation?.type === "TSFunctionType" ||
  m["typeAnnotation"]?.typeAnnotation?.type === "TSIndexedAccessType";

function members(s: Source, name: string): readonly { readonly name: string; readonly doc: string | undefined; readonly calls: boolean }[] {
  const found = declaration(s, name);
  if (found === undefined) throw new Error(`${s.file} has no ${name}`);
  const body = found.node["body"].body as readonly Node[];
  return body.filter((m) => m["key"]?.name !== undefined).map((m) => ({ name: m["key"].name, doc: s.docAt(m.start), calls: isCalled(m) }));
}

/** Every function and class that an entry point exports, by the file that declares it. */
function exported(): readonly { readonly name: string; readonly doc: string | undefined; readonly isType: boolean }[] {
  const all = new Map<string, { name: string; doc: string | undefined; isType: boolean }>();
  for (const entry of entries) {
    const s = read(`src/${entry}.ts`);
    for (const n of s.body) {
      if (n.type !== "ExportNamedDeclaration" || n["exportKind"] === "type") continue;
      const own = n["declaration"] as Node | null;
      if (own !== null) {
        const name = own["id"]?.name as string | undefined;
        const isType = own.type.startsWith("TS");
        // Of overloads each has its own text; the implementation has none.
        const overloads = [...all.keys()].filter((k) => k.startsWith(`${s.file} ${name} `)).length;
        if (name === undefined || (overloads > 0 && s.docAt(n.start) === undefined)) continue;
        all.set(`${s.file} ${name} ${overloads}`, { name, doc: s.docAt(n.start), isType: isType && own.type !== "TSDeclareFunction" });
        continue;
      }
      const from = resolve(root, "src", n["source"].value as string).slice(root.length + 1);
      for (const e of (n["specifiers"] as Node[]).filter((x) => x["exportKind"] !== "type")) {
        const found = declaration(read(from), e["local"].name as string);
        if (found === undefined) throw new Error(`${from} does not declare ${e["local"].name}`);
        all.set(`${from} ${e["local"].name}`, { name: e["local"].name, doc: read(from).docAt(found.start), isType: false });
      }
    }
  }
  return [...all.values()];
}

/** The code after @example, without the stars. */
function exampleOf(doc: string): string | undefined {
  const text = doc
    .split("\n")
    .map((l) => l.replace(/^\s*\* ?/, ""))
    .join("\n");
  return text.split("@example\n")[1]?.trimEnd();
}

describe("what an editor shows", () => {
  it("every function and class that is exported says what it does and shows how", () => {
    const found = exported();
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter((f) => f.doc === undefined).map((f) => f.name)).toEqual([]);
    const data = ["suite", "effectStoreSuite", "memoryStore", "virtualPlatform", "PawlError"];
    expect(found.filter((f) => !f.isType && !data.includes(f.name) && exampleOf(f.doc!) === undefined).map((f) => f.name)).toEqual([]);
  });

  it.each(Object.entries(called))("every member of %s that is called shows how", (file, names) => {
    const s = read(file);
    for (const name of names) {
      const all = members(s, name);
      expect(all.length).toBeGreaterThan(0);
      expect(all.filter((m) => m.doc === undefined).map((m) => `${name}.${m.name}`)).toEqual([]);
      expect(all.filter((m) => m.calls && exampleOf(m.doc!) === undefined).map((m) => `${name}.${m.name}`)).toEqual([]);
    }
  });

  it.each(Object.entries(set))("every option in %s says what it means", (file, names) => {
    const s = read(file);
    for (const name of names)
      expect(
        members(s, name)
          .filter((m) => m.doc === undefined)
          .map((m) => `${name}.${m.name}`),
      ).toEqual([]);
  });

  it("every example compiles", () => {
    const docs = [
      ...exported().map((f) => [f.name, f.doc!] as const),
      ...Object.entries(called).flatMap(([file, names]) =>
        names.flatMap((n) => members(read(file), n).map((m) => [`${n}.${m.name}`, m.doc!] as const)),
      ),
    ];
    const dir = resolve(root, ".reports/hover");
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    const bodies = docs.flatMap(([name, doc], i) => {
      const code = exampleOf(doc);
      if (code === undefined) return [];
      const lines = code.split("\n").map((l) => `  ${l.replace(/^export /, "")}`);
      return [`// ${name}\nexport async function example${i}(): Promise<void> {\n${lines.join("\n")}\n}`];
    });
    expect(bodies.length).toBeGreaterThan(100);
    writeFileSync(resolve(dir, "examples.ts"), `${preamble}\n${bodies.join("\n\n")}\n`);
    writeFileSync(
      resolve(dir, "tsconfig.json"),
      JSON.stringify({
        extends: "../../tsconfig.base.json",
        compilerOptions: { noEmit: true, composite: false, isolatedDeclarations: false, declaration: false, noUnusedLocals: false },
        files: ["examples.ts"],
      }),
    );
    let problems = "";
    try {
      execFileSync(process.execPath, [resolve(root, "node_modules/typescript/bin/tsc"), "-p", dir], { cwd: dir, encoding: "utf8" });
    } catch (e) {
      problems = (e as { stdout: string }).stdout;
    }
    expect(problems).toBe("");
  });
});

/** What the examples stand in: names that a reader takes for granted. */
const preamble = `
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { describe, expect, it } from "vitest";
import {
  engine, run, workflow, worker, task, remoteTask, dag, dagFromTemplate, schedule, isWorkflow, projector, Fatal, NotSent, RetryAfter, responseError, StepError, fileEffectStore,
  type Ctx, type ChildHandle, type DecisionView, type Engine, type Handle, type Producer, type ResourceVerifier, type StepScope, type Tx,
  type Store, type Subscription, type RunEventRecord, type RunEventWrite, type ProjectorState, type AppendRejection, type WebhookDeadLetter, type Delivering,
} from "../../src/index.ts";
import { connect, handleAppend, type Client, type StreamCursor } from "../../src/client.ts";
import { crashMatrix, firstDivergence, replay, replayGraph, suiteFor, suites, testEngine, world, type RecordingWorld, type SuiteBundle, type TestEngine } from "../../src/testing.ts";
import { graph, last } from "../../src/graph.ts";
import { verifyWebhook } from "../../src/webhooks.ts";
import { sqlite, sqliteEffectStore, openHandle } from "../../src/sqlite.ts";
import { postgres, postgresEffectStore } from "../../src/postgres.ts";
import { mysql, mysqlEffectStore } from "../../src/mysql.ts";
import { aetherisDecisionId, aetherisStepId, aetherisSteps, readVersion1, type AetherisEvent } from "../../src/compat.ts";
import { changesVerifier, httpVerifier, restVerifier, type ResourceChange, type ResourceNow, sqlVerifier, objectVerifier, fileVerifier, placeholderVerifier } from "../../src/verifiers.ts";

const email = task({ name: "email", input: z.object({ to: z.string() }) }, async () => ({ id: "1" }));
const pack = workflow({ name: "pack", input: z.object({ sku: z.string() }) }, async (_ctx, { sku }) => sku);
const order = workflow(
  {
    name: "order",
    input: z.object({ id: z.string() }),
    signals: { approved: z.object({ by: z.string() }) },
    updates: { setAddress: { input: z.object({ city: z.string() }), output: z.object({ ok: z.boolean() }) } },
    views: { status: z.string() },
  },
  async (_ctx, { id }) => ({ shipped: id }),
);
const hurried = workflow({ name: "hurried", signals: { hurry: z.object({ reason: z.string() }) } }, async () => "done");
type Input = { orderId: string; cents: number; round: number; sku: string };
declare const ctx: Ctx<
  { approved: z.ZodObject<{ by: z.ZodString }>; items: z.ZodObject<{ last: z.ZodBoolean }> },
  { setAddress: { input: z.ZodObject<{ city: z.ZodString }>; output: z.ZodObject<{ ok: z.ZodBoolean }> } },
  { status: z.ZodString },
  Input
>;
declare const input: Input;
declare const download: (from: string) => Promise<{ id: string }[]>;
declare const measure: (row: { id: string }) => number;
declare const ship: typeof email;
const essay = graph({ name: "essay", state: { text: last("") } }).nodes({ write: () => ({ text: "owls" }) }).edges({ start: "write", write: "end" });
const invoicing = workflow({ name: "invoicing", input: z.object({ month: z.string() }) }, async () => "done");
declare const s: StepScope;
declare const db: Tx;
declare const child: ChildHandle<typeof hurried>;
declare const app: Engine;
declare const client: Client;
declare const handle: Handle<typeof order> & ((e: unknown) => Promise<void>);
declare const t: TestEngine;
declare const outside: RecordingWorld;
declare const store: Store;
declare const bundle: () => Promise<SuiteBundle>;
declare const producer: Producer;
declare const cursor: StreamCursor;
declare const subscription: Subscription;
declare const delivering: Delivering;
declare const decision: DecisionView;
declare const event: RunEventWrite;
declare const events: readonly RunEventWrite[];
declare const record: RunEventRecord;
declare const records: readonly RunEventRecord[];
declare const rejection: AppendRejection;
declare let state: ProjectorState;
declare const p: ReturnType<typeof projector>;
declare const response: ServerResponse;
declare const request: { readonly id: string; readonly headers: Record<string, string> };
declare const flows: Record<string, unknown>;
declare const rawBody: string;
declare const body: string;
declare const url: string;
declare const id: string;
declare const runId: string;
declare const exportId: string;
declare const sku: string;
declare const from: number;
declare const rows: readonly unknown[];
declare const batch: readonly unknown[];
declare const photos: readonly { readonly id: string }[];
declare let address: string;
declare const bank: { charge(x: unknown, key?: string): Promise<{ id: string }>; find(key: string): Promise<{ id: string } | undefined> };
declare const mail: { send(to: string, key: string): Promise<string> };
declare const pool: { query(text: string, values: readonly unknown[]): Promise<{ rows: object[] }> };
declare const exported: readonly AetherisEvent[];
declare const tracker: { find(id: string): Promise<ResourceNow | null> };
declare const bucket: { read(key: string): Promise<Uint8Array> };
declare const file: { write(text: string): void };
declare function shrink(p: unknown): Promise<number>;
declare function charge(): Promise<void>;
declare function send(e: unknown): Promise<void>;
declare function page(e: unknown): void;
declare function isNew(id: string): Promise<boolean>;
declare function readLines(path: string): AsyncIterable<string>;
`;
