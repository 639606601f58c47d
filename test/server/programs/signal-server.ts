// A server on a store, in a process of its own, for tests that kill it. It runs no workflow; it prints where it listens and serves until it is killed.
// It must never stop by itself.
import { server } from "../../../src/server.ts";

const api = await server({ store: process.env["STORE"]!, tenant: "default/default/default", auth: "open", log: () => {} });
const { port } = await api.listen({ port: 0 });
console.log(`listening ${port}`);
