// The store, this version of Pawl, and the pages of error codes.
// It must never show what belongs to another tenant.
import { accessScopes } from "../../core/principal.ts";
import { catalogue, type Code } from "../../errors/catalogue.ts";
import { pageOfContractCode, PawlError } from "../../errors/error.ts";
import { ownFile } from "../../platform/own-package.ts";
import type { HandlersOf } from "../call.ts";

type Own = "store.info" | "version" | "errors.explain";

export const infoHandlers: HandlersOf<Own> = {
  "store.info": async ({ client }) => ({ body: await client.info() }),
  version: ({ server }) => Promise.resolve({ body: { version: server.version, api: "v1", scopes: accessScopes } }),
  "errors.explain": async (_, { code: asked }) => {
    const code = pageOfContractCode(asked) ?? asked;
    if (!Object.hasOwn(catalogue, code)) throw new PawlError("PAWL4093", `there is no error code ${code}`);
    const { name, fix } = catalogue[code as Code];
    return { body: { code, name, fix, page: ownFile("docs", "errors", `${code}.md`) ?? `# ${code} ${name}\n\n${fix}\n` } };
  },
};
