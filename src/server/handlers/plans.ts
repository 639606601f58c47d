// Plans and templates of this tenant, over the client's verbs. A template is checked by the verb, over every transport; nothing here knows what
// it may say.
import { PawlError } from "../../errors/error.ts";
import type { HandlersOf } from "../call.ts";
import { page, slicePage } from "./pages.ts";

type Own = "runs.evaluate" | "runs.why" | "templates.put" | "templates.list" | "templates.get" | "templates.retire";

export const planHandlers: HandlersOf<Own> = {
  "runs.evaluate": async ({ client }, { id }) => ({ body: await client.evaluate(id) }),
  "runs.why": async ({ client }, { id, step, ...o }) => ({ body: slicePage(await client.why(id, step), o) }),
  "templates.put": async ({ client }, { template }) => ({ body: await client.templates.put(template) }),
  "templates.list": async ({ client }, o) => {
    const { items, nextCursor } = await client.templates.list(o);
    return { body: page(items, nextCursor) };
  },
  "templates.get": async ({ client }, { namespace, name, version }) => {
    const body = await client.templates.get(namespace, name, version);
    if (body === undefined) throw new PawlError("PAWL4132", `there is no template ${namespace}/${name}`, { data: { namespace, name } });
    return { body };
  },
  // Who it is, the verb knows where somebody was authenticated.
  "templates.retire": async ({ client }, { namespace, name, version, by = "", reason }) => ({
    body: await client.templates.retire(namespace, name, version, { by, reason }),
  }),
};
