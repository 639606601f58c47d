// The way out over HTTP, for verifiers that look at a resource. One request, no redirects followed, a bounded body; nothing is
// retried and nothing is kept between requests. What the server answers is a value; only a request that got no answer throws.

export interface HttpRequest {
  readonly method: "GET" | "HEAD";
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly bodyBytesMax: number;
}
export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name; undefined when the server did not send it. */
  header(name: string): string | undefined;
  /** undefined when it is longer than allowed, or was not asked for. */
  readonly body: Uint8Array | undefined;
}

export async function httpRequest(url: string | URL, o: HttpRequest): Promise<HttpAnswer> {
  const { method, headers, signal } = o;
  const response = await fetch(url, { method, headers: { ...headers }, signal, redirect: "manual" });
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
  return { status: response.status, header, body: method === "HEAD" ? undefined : await bounded(response, o.bodyBytesMax) };
}

async function bounded(response: Response, max: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest of the body.
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > max) return undefined;
    parts.push(part);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.byteLength;
  }
  return body;
}
