// The dashboard's files, as the package ships them: one page at the server's root and its scripts and styles below /assets. They are the same for
// everybody and hold no data, so they need no credential, and links to them work. The page calls the operations of the catalogue like any other
// client. It must never serve a file that is not the dashboard's, nor let a page of another site frame it.
import { PawlError } from "../errors/error.ts";
import { gzipped } from "../platform/compress.ts";
import { ownBytes } from "../platform/own-package.ts";
import type { ServedAnswer } from "./http/answer.ts";
import type { InboundHere } from "./http/inbound.ts";

/** Text nodes and files of its own are all that the page needs. A host that mounts the server may add a policy; both apply. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types pawl",
].join("; ");

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};
/** Names of files that the build makes: no folders, no dots alone. */
const assetPath = /^\/assets\/([\w-]+(?:\.[\w-]+)*\.(js|css|svg|txt))$/;

interface ShippedFile {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly packed: Uint8Array<ArrayBuffer>;
}

export class Dashboard {
  readonly #read: (...path: string[]) => Uint8Array | undefined;
  readonly #known = new Map<string, ShippedFile>();

  constructor(read: (...path: string[]) => Uint8Array | undefined = ownBytes) {
    this.#read = read;
  }

  /** Whether a path is one of its own; everything else is an operation's, or nothing's. */
  owns(path: string): boolean {
    return path === "/" || assetPath.test(path);
  }

  answer(inbound: InboundHere): ServedAnswer {
    const { method, path } = inbound;
    if (method !== "GET" && method !== "HEAD") throw new PawlError("PAWL4093", `there is no ${method} of ${path}`);
    if (path !== "/") {
      const [, name = "", ending = ""] = assetPath.exec(path) ?? [];
      return this.#file(inbound, ["assets", name], ending, "public, max-age=31536000, immutable");
    }
    // Where it is mounted below "/pawl", the page's relative addresses need the slash at the end.
    const { pathname } = new URL(inbound.request.url);
    if (!pathname.endsWith("/")) {
      const last = pathname.slice(pathname.lastIndexOf("/") + 1);
      return { status: 308, headers: { location: `./${last}/`, "cache-control": "no-cache" }, body: null };
    }
    return this.#file(inbound, ["index.html"], "html", "no-cache");
  }

  #file(inbound: InboundHere, name: readonly string[], ending: string, cache: string): ServedAnswer {
    const file = this.#load(name.join("/"));
    if (file === undefined) {
      const missing =
        name[0] === "index.html" ? "the dashboard was not built: npm run build:dashboard" : `there is nothing at ${inbound.path}`;
      throw new PawlError("PAWL4093", missing);
    }
    const packs = /\bgzip\b/.test(inbound.headers.get("accept-encoding") ?? "");
    const headers: Record<string, string> = {
      "content-type": types[ending]!,
      "cache-control": cache,
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      vary: "accept-encoding",
      ...(packs ? { "content-encoding": "gzip" } : {}),
    };
    return { status: 200, headers, body: packs ? file.packed : file.plain };
  }

  #load(path: string): ShippedFile | undefined {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const bytes = this.#read("dist", "dashboard", ...path.split("/"));
    if (bytes === undefined) return undefined;
    const plain = new Uint8Array(bytes);
    const file = { plain, packed: gzipped(plain) };
    // The names of the others change with what they hold.
    if (path !== "index.html") this.#known.set(path, file);
    return file;
  }
}
