// What a server's tool is called in front of a model: `server__tool`. Providers take letters, digits, "_" and "-", 64 at most; a name that does
// not fit is cleaned and gets a piece of its hash, so that two tools never become one. Pure: the same on every machine.
import { sha256Hex } from "../../platform/crypto/hash.ts";

const charsMax = 64;

export function toolNameOf(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  const clean = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  return clean === name && name.length <= charsMax ? name : `${clean.slice(0, charsMax - 9)}_${sha256Hex(name).slice(0, 8)}`;
}
