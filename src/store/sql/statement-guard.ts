// Statements that a user's own client may not send inside ctx.tx: those that begin or end a transaction, and those over which the
// server ends it by itself. Pawl begins and ends it, together with the run's Commit. Reads only as much SQL as it takes to find the
// first words of each statement. It is the clear answer to a plain mistake; the savepoint that must still be there is the lock (K11).
import { PawlError } from "../../errors/error.ts";

export type SqlDialect = "postgres" | "mysql" | "sqlite";

const ends = /^(begin|commit|end|abort|start transaction|prepare transaction|xa)\b/;
const rollsBack = /^rollback\b(?! (work |transaction )?to\b)/;
/** Pawl's own savepoint; a user's may be made, released and rolled back to. */
const touchesOurs = /^(savepoint|release( savepoint)?|rollback (work |transaction )?to( savepoint)?) "?pawl_/;
/** A MySQL server commits before each of these, without a word. */
const commitsSilently = /^((create|drop)(?! temporary\b)|alter|truncate|rename|grant|revoke|lock|unlock|set( session)? autocommit)\b/;

/** Throws PAWL1021 for a text that holds such a statement. */
export function checkStatement(text: string, dialect: SqlDialect): void {
  for (const head of firstWords(text, dialect)) {
    const said = head.split(" ").slice(0, 2).join(" ");
    if (ends.test(head) || rollsBack.test(head) || touchesOurs.test(head))
      throw statementRefused(`${JSON.stringify(said)} is refused: Pawl begins and ends the transaction`);
    if (dialect === "mysql" && commitsSilently.test(head))
      throw statementRefused(`${JSON.stringify(said)} is refused: the server would commit the transaction before it`);
  }
}

function statementRefused(what: string): PawlError {
  return new PawlError("PAWL1021", `ctx.tx: ${what}`, { outcome: "none" });
}

/** What stands for itself in a text: comments, strings and quoted names, so that a word inside of them is none. */
function skipsOf(d: SqlDialect): RegExp {
  const comments = d === "mysql" ? String.raw`--(?=\s|$)[^\n]*|#[^\n]*|\/\*(?!M?!)[\s\S]*?\*\/` : String.raw`--[^\n]*|\/\*[\s\S]*?\*\/`;
  const escaped = String.raw`'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"`;
  const plain = String.raw`'(?:[^']|'')*'|"(?:[^"]|"")*"`;
  const own = {
    postgres: String.raw`\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|${plain}`,
    mysql: `${escaped}|\`(?:[^\`]|\`\`)*\``,
    sqlite: `${plain}|\`(?:[^\`]|\`\`)*\`|\\[[^\\]]*\\]`,
  }[d];
  return new RegExp(`${own}|${comments}`, "g");
}
const skips: Readonly<Record<SqlDialect, RegExp>> = { postgres: skipsOf("postgres"), mysql: skipsOf("mysql"), sqlite: skipsOf("sqlite") };

/** The first words of each statement, in lower case; a quoted name is left as a quote. */
function firstWords(text: string, dialect: SqlDialect): string[] {
  const bare = text.replace(skips[dialect], (found) => (/^["'`[$eE]/.test(found) ? (/^"?`?pawl_/.test(found) ? '"pawl_' : '"') : " "));
  // What a MySQL server runs although it looks like a comment.
  const run = dialect === "mysql" ? bare.replace(/\/\*M?!\d*/g, " ").replaceAll("*/", " ") : bare;
  // The body of a trigger holds statements of its own.
  if (dialect === "sqlite" && /^\s*create (temp |temporary )?trigger\b/i.test(run)) return [];
  return run.split(";").map((s) => s.trim().toLowerCase().split(/\s+/).slice(0, 5).join(" "));
}
