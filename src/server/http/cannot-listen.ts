// The error for an address that cannot be listened on, the same for every command that listens. A port in use has a code of its own (PAWL5061), since
// that is what happens most often. It must never hide the reason that the machine gave.
import { PawlError } from "../../errors/error.ts";

export function cannotListen(e: unknown, host: string, port: number): PawlError {
  if ((e as { readonly code?: unknown }).code === "EADDRINUSE")
    return new PawlError("PAWL5061", `another process listens on ${host}:${port}`, { cause: e, data: { port } });
  return new PawlError("PAWL5001", `cannot listen on ${host}:${port}: ${e instanceof Error ? e.message : String(e)}`, { cause: e });
}
