// `pawl explain`: the page of an error code, by its code, its number, its name or the contract's name. Without one, the list of all codes.
// The pages are the documentation's own, shipped with the package.
import { catalogue, type Code } from "../../../errors/catalogue.ts";
import { pageOfContractCode, PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { errorPage } from "../../package-files.ts";
import { formatTable } from "../../output/format.ts";

export type ExplainOptions = JsonOption;

const entries = (Object.entries(catalogue) as [Code, { readonly name: string; readonly fix: string }][]).toSorted(([a], [b]) =>
  a < b ? -1 : 1,
);

export async function explainCommand(args: readonly string[], o: ExplainOptions): Promise<number> {
  const asked = args[0];
  if (asked === undefined) {
    writeOut(
      o.json === true
        ? `${JSON.stringify(entries.map(([code, { name, fix }]) => ({ code, name, fix })))}\n`
        : formatTable(entries.map(([code, { name, fix }]) => [code, name, fix])),
    );
    return exitCodes.ok;
  }
  const wanted = asked.toLowerCase();
  const contractPage = pageOfContractCode(wanted);
  const found = entries.find(
    ([code, { name }]) => code === contractPage || [code.toLowerCase(), code.slice(4), name.toLowerCase()].includes(wanted),
  );
  if (found === undefined) throw new PawlError("PAWL4011", `there is no code ${asked}; pawl explain lists all`);
  const [code, { name, fix }] = found;
  const page = errorPage(code) ?? `# ${code} ${name}\n\n${fix}\n`;
  writeOut(o.json === true ? `${JSON.stringify({ code, name, fix, page })}\n` : page);
  return exitCodes.ok;
}
