// Canonical JSON (RFC 8785) and digests over it: the same value gives the same bytes whatever the order of its members.
// Guards comparisons across processes and versions (input digests, declared inputs). It must never let through what JSON
// cannot say: two different values must not share a canonical text.
import canonicalize from "canonicalize";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";

/** RFC 8785 text; PAWL1003 on anything but JSON data with well-formed text. */
export function canonicalJson(value: unknown): string {
  requireJson(value, 0);
  return canonicalize(value) as string;
}

/** Digest of an encoded value, over its encoded tree, so that tags count and the order of members does not. */
export function inputDigest(encodedText: string): string {
  const tree: unknown = JSON.parse(encodedText);
  try {
    return sha256Hex(canonicalJson(tree));
  } catch (e) {
    if (!(e instanceof PawlError)) throw e;
    // Lone surrogates have no canonical form: digest the tree of escaped texts, set apart so that no other tree equals it.
    return sha256Hex(`escaped\n${canonicalJson(escapeTexts(tree))}`);
  }
}

/** A value of the greatest depth that limits admit, each level of it a tag, is well within this. */
const depthMax = 1500;
const loneSurrogate = /\p{Surrogate}/u;

function requireJson(value: unknown, depth: number): void {
  if (typeof value === "string") {
    if (loneSurrogate.test(value)) throw notJson("a lone surrogate");
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) throw notJson(String(value));
  } else if (typeof value === "object" && value !== null) {
    if (depth > depthMax) throw notJson("a cycle, or a value that deep,");
    if (Array.isArray(value)) {
      for (const item of value) requireJson(item, depth + 1);
      return;
    }
    const proto: unknown = Object.getPrototypeOf(value);
    if (proto !== Object.prototype && proto !== null) throw notJson("an object of a class");
    for (const [key, member] of Object.entries(value)) {
      requireJson(key, depth);
      requireJson(member, depth + 1);
    }
  } else if (typeof value !== "boolean" && value !== null) throw notJson(typeof value);
}

function escapeTexts(tree: unknown): unknown {
  if (typeof tree === "string") return JSON.stringify(tree);
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map(escapeTexts);
  return Object.fromEntries(Object.entries(tree).map(([key, member]) => [JSON.stringify(key), escapeTexts(member)]));
}

function notJson(what: string): PawlError {
  return new PawlError("PAWL1003", `${what} has no canonical JSON form`);
}
