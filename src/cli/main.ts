#!/usr/bin/env node
// The `pawl` command. Hands the arguments to the program and ends the process with its answer, once everything written
// has left it: a user's file may hold handles that would keep it alive for ever. It must never print by itself.
import { argv, exit, flush, setExitCode } from "../platform/terminal.ts";
import { runProgram } from "./program.ts";

const code = await runProgram(argv());
setExitCode(code); // for a reader that leaves while the rest is written
await flush();
exit(code);
