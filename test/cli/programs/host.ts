// Runs one `pawl` command after the other in one process, each with arguments, a folder and an environment of its own, and answers with
// its exit code and both streams. For tests that ask what a command says: loading the program is most of what a short one costs.
// It must never run two at a time, nor anything that reads standard input or imports a user's file.
import { runProgram } from "../../../src/cli/program.ts";

interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const said = { out: "", err: "" };
const keep =
  (stream: "out" | "err") =>
  (text: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    said[stream] += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done as () => void);
    return true;
  };
process.stdout.write = keep("out");
process.stderr.write = keep("err");

process.on("message", (command: Command) => {
  said.out = "";
  said.err = "";
  process.chdir(command.cwd);
  for (const name of Object.keys(process.env)) if (command.env[name] === undefined) delete process.env[name];
  Object.assign(process.env, command.env);
  void runProgram(command.args).then((code) => process.send?.({ code, ...said }));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
