// pawl/http: the client of a server, for browsers and for programs that have no store. It is fetch and nothing else: nothing below it touches Node,
// and no package is in it (npm run tidy looks).
export { connectToServer as connect } from "./client/http/connect.ts";
export type { HttpClient, HttpConnectOpts, LocalOnly } from "./client/http/types.ts";
export type { TokenSource } from "./client/http/target.ts";
export { PawlError } from "./errors/error.ts";
