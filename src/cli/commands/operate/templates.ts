// `pawl templates`: which are registered, one of them as JSON, registering one from a file (JSON or YAML), checking one without registering it,
// and retiring a version. What it changes goes through the client, with who asked and why.
import { dagFromTemplate } from "../../../dag/template.ts";
import type { Template } from "../../../dag/template-types.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { formatTable, withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { readTemplate } from "../../runs/read-template.ts";
import { withSession } from "../../session.ts";
import { readWho } from "../../who.ts";
import type { JsonOption, StoreOptions, WhoOptions } from "../../shared-options.ts";

export interface TemplatesOptions extends WhoOptions, JsonOption, StoreOptions {
  readonly namespace?: string;
  readonly version?: string;
}

export async function templatesCommand(args: readonly string[], o: TemplatesOptions): Promise<number> {
  const [verb = "list", first, second] = args;
  switch (verb) {
    case "list":
      return list(o);
    case "check":
      return check(needed(first, "check needs a file"), o);
    case "put":
      return put(needed(first, "put needs a file"), o);
    case "get":
      return get(needed(first, "get needs a namespace and a name"), needed(second, "get needs a namespace and a name"), o);
    case "retire":
      return retire(needed(first, "retire needs a namespace and a name"), needed(second, "retire needs a namespace and a name"), o);
    default:
      throw new PawlError("PAWL4011", `templates takes list, get, put, check or retire, not ${JSON.stringify(verb)}`);
  }
}

function needed(value: string | undefined, problem: string): string {
  if (value === undefined) throw new PawlError("PAWL4011", `templates ${problem}`);
  return value;
}

async function check(path: string, o: TemplatesOptions): Promise<number> {
  const wf = dagFromTemplate(readTemplate(path) as Template);
  if (o.json === true) printJson({ ok: true, workflow: wf.name, version: wf.version });
  else printNote(`${wf.name} version ${wf.version} is sound`);
  return exitCodes.ok;
}

async function put(path: string, o: TemplatesOptions): Promise<number> {
  const template = readTemplate(path);
  return withSession(o, async ({ client }) => {
    const t = await client.templates.put(template);
    if (o.json === true) printJson(t);
    else printNote(`${t.namespace}/${t.name} version ${t.version}: ${t.created ? "registered" : "known"}, digest ${t.digest}`);
    return exitCodes.ok;
  });
}

async function list(o: TemplatesOptions): Promise<number> {
  return withSession(o, async ({ client }) => {
    const page = await client.templates.list({ limit: 1_000, ...(o.namespace === undefined ? {} : { namespace: o.namespace }) });
    if (o.json === true) printJson(page);
    else if (page.items.length === 0) printNote("no templates are registered");
    else
      writeOut(
        formatTable(
          page.items.map((t) =>
            [`${t.namespace}/${t.name}`, t.version, t.digest.slice(0, 12), t.registeredAt, t.retired === undefined ? "" : "retired"].map(
              withoutControlChars,
            ),
          ),
        ),
      );
    return exitCodes.ok;
  });
}

async function get(namespace: string, name: string, o: TemplatesOptions): Promise<number> {
  return withSession(o, async ({ client }) => {
    const t = await client.templates.get(namespace, name, o.version);
    if (t === undefined) throw new PawlError("PAWL4132", `there is no template ${namespace}/${name}`, { data: { namespace, name } });
    printJson(o.json === true ? t : t.template);
    return exitCodes.ok;
  });
}

async function retire(namespace: string, name: string, o: TemplatesOptions): Promise<number> {
  const { version } = o;
  if (version === undefined) throw new PawlError("PAWL4011", "templates retire needs --version");
  const who = readWho(o, "templates retire");
  return withSession(o, async ({ client }) => {
    await client.templates.retire(namespace, name, version, who);
    if (o.json === true) printJson({ namespace, name, version, retired: true });
    else printNote(`nothing new is started of ${namespace}/${name} version ${version}`);
    return exitCodes.ok;
  });
}
