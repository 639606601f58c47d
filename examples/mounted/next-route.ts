// Next.js, app/pawl/[...path]/route.ts: Pawl's server as route handlers. It runs no workflow: an engine elsewhere works on the same store
// (next-worker.ts of the recipes, or pawl start --role engine).
import { server, type PawlServer } from "pawl/server";
import { whoAsks } from "./sign-on.ts";

// One server per process, kept over hot reloads.
const kept = globalThis as { pawlServer?: Promise<PawlServer> };
const api = (): Promise<PawlServer> =>
  (kept.pawlServer ??= server({ tenant: "default/default/default", auth: whoAsks, base: "/pawl", hosts: ["shop.example"] }));

export async function GET(request: Request): Promise<Response> {
  return (await api()).fetch(request);
}

export { GET as HEAD, GET as OPTIONS, GET as POST };
