// What src/verify.ts finds under Node without an import.
// It must be loaded before it.
import { Bytes } from "./buffer.ts";

Object.assign(globalThis, { Buffer: Bytes, process: { argv: [] } });
