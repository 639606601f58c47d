// The registry of templates, as a client's verbs. A template is checked as a whole before it is registered; a version never changes its content, and
// retiring one says who and why.
import { dagFromTemplate } from "../../dag/template.ts";
import type { Template } from "../../dag/template-types.ts";
import {
  findTemplate,
  listTemplateRows,
  registerTemplate,
  retireTemplateRow,
  type RegisteredTemplate,
} from "../../engine/publish/template-registry.ts";
import { PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import { definitionOf } from "../../workflow/registry.ts";
import type { TemplateVerbs, TemplateView } from "../../api/types/plan.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { statedBy } from "../stated-by.ts";
import { checkLimit, decodePlace, encodePlace, filterMark, markedCursor, placeOf } from "../lists/list-cursor.ts";

export function templateVerbs(c: LocalClientDeps): TemplateVerbs {
  const missing = (namespace: string, name: string, version: string): PawlError =>
    new PawlError("PAWL4132", `there is no template ${namespace}/${name} version ${version}`, { data: { namespace, name, version } });
  return {
    put: async (given) => {
      const facts = definitionOf(dagFromTemplate(given as Template)).template!;
      const { created } = await registerTemplate(c.store, c.scope, facts);
      const found = await findTemplate(c.store, c.scope, facts.namespace, facts.name, facts.version);
      if (found === undefined) throw missing(facts.namespace, facts.name, facts.version);
      return { ...viewOf(found), created };
    },
    get: async (namespace, name, version) => {
      const found = await findTemplate(c.store, c.scope, namespace, name, version);
      return found === undefined ? undefined : { ...viewOf(found), template: JSON.parse(found.text) as unknown };
    },
    list: async (o = {}) => {
      const limit = checkLimit(o.limit, 100);
      const mark = filterMark(c.scope, "templates", { namespace: o.namespace });
      const after = o.cursor === undefined ? undefined : String(decodePlace(placeOf(o.cursor, mark)));
      const { templates, next } = await listTemplateRows(c.store, c.scope, { namespace: o.namespace, after, limit });
      return {
        items: templates.map(viewOf),
        ...(next === undefined ? {} : { nextCursor: markedCursor(mark, encodePlace(next as never)) }),
      };
    },
    retire: async (namespace, name, version, asked) => {
      const who = { ...asked, by: statedBy(c.by, asked?.by === "" ? undefined : asked?.by, "/by") as string };
      for (const member of ["by", "reason"] as const)
        if (typeof who?.[member] !== "string" || who[member].trim() === "")
          throw new PawlError("PAWL4011", `retiring a template needs ${member}`);
      if (!(await retireTemplateRow(c.store, c.scope, { namespace, name, version }, who))) throw missing(namespace, name, version);
      return { retired: true };
    },
  };
}

function viewOf(t: RegisteredTemplate): TemplateView {
  const { namespace, name, version, digest, at, retired } = t;
  return { namespace, name, version, digest, registeredAt: toTimeText(at), ...(retired === null ? {} : { retired }) };
}
