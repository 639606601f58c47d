// GET /openapi.json: the document, made at the first request and kept. It holds nothing of a tenant and needs no credential. It must never be
// made at start-up: most servers are never asked for it.
import { openApiDocument, type OpenApiOptions } from "../api/openapi.ts";
import type { ServedAnswer } from "./http/answer.ts";

export function openApiResponder(o: OpenApiOptions): () => ServedAnswer {
  let text: string | undefined;
  return () => {
    text ??= JSON.stringify(openApiDocument(o));
    const headers = { "content-type": "application/json", "cache-control": "no-cache", "x-content-type-options": "nosniff" };
    return { status: 200, headers, body: text };
  };
}
