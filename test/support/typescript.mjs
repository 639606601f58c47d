// Lets a child process import the sources as they are: `node --import test/support/typescript.mjs child.mjs`. Tests of real
// processes then run what is in src at this moment, never a stale build. Types are erased, not checked.
import { register } from "node:module";

register("./typescript-loader.mjs", import.meta.url);
