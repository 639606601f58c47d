// GET /openapi.json: the document, made at the first request and kept. It holds nothing of a tenant and needs no credential. It must never be
// made at start-up: most servers are never asked for it.
import { openApiDocument, type OpenApiOptions } from "../api/openapi.ts";

export function openApiResponder(o: OpenApiOptions): () => Response {
  let text: string | undefined;
  return () => {
    text ??= JSON.stringify(openApiDocument(o));
    return new Response(text, {
      headers: { "content-type": "application/json", "cache-control": "no-cache", "x-content-type-options": "nosniff" },
    });
  };
}
