// Words that only we would understand. Prose says lease, lock, queue, retry, repair, invalid; it does not use everyday nouns with a
// private meaning, and no phrases that a reader must read twice. Comments and texts of src, the pages and the error texts are checked;
// code, quoted text and names are not. A word that has an ordinary use is not on the list, or only with what makes it private.
import { syntaxOf } from "./syntax.mjs";
import { isTest } from "./tree.mjs";

/** @typedef {import("./tree.mjs").Tree} Tree @typedef {import("./tree.mjs").Problem} Problem */

/** What is written, and what to write instead. */
const refusedPhrases = /** @type {const} */ ([
  [/\b(?:un)?told\b/i, "logged, returned, notified, reported"],
  [/\bwho(?:m)?ever\b/i, "name the one who acts"],
  [/\b(?:go|goes|going|gone|went) on\b/i, "continue"],
  [/\bmend(?:s|ed|ing)?\b/i, "repair"],
  [/\bpapers?\b/i, "documentation, page"],
  [/(?<!may or )\bmay not (?:have happened|happen)\b/i, "invalid"],
  [/\b(?:he|him|his|himself)\b/i, "the user, they"],
  [/\b(?:pen|pens)\b/i, "commit builder"],
  [/\b(?:shelf|shelves)\b/i, "name the table or the state"],
  [/\bdesks?\b/i, "consumer lease"],
  [/\bbells?\b/i, "wake-up"],
  [/\b(?:is|are|was|were) there (?:already|any more)\b/i, "already exists, no longer exists"],
  [/\blines? of (?:a run|runs)\b/i, "run chain"],
  [/\bsplit mode\b/i, "external effect store"],
  [/\bstandstill\b/i, "needs a decision"],
  [/\b(?:bury|buries|buried)\b/i, "declare dead"],
  [/\brous(?:e|es|ed|ing)\b/i, "wake"],
  [/\b(?:begun|began|begin|begins) anew\b|\banew\b/i, "again"],
  [/\bto be had\b/i, "available"],
  [/\bill-formed\b/i, "malformed"],
  [/\bwhat is no (?!longer)\b/i, "what is not a"],
  [/\bby itself any more\b/i, "without help"],
  [/\bcomes? to the same\b/i, "gives the same result"],
]);

const isPage = (/** @type {string} */ path) => /^(docs\/.*|README|GUARANTEES|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$/.test(path);
const isCode = (/** @type {string} */ path) => /^src\/.*\.ts$/.test(path) && !isTest(path);

/** A database keeps the names that its tables and columns were given. @param {string} text */
const isStatement = (text) =>
  /\.shel(?:f|ves)\b|\bshel(?:f|ves)(?:,| =|_|\.| \()/.test(text) ||
  (/\b(?:select|insert|update|delete|create|alter|drop|where|from|values|set|join|primary key|not null|order by|on conflict)\b/i.test(
    text,
  ) &&
    !/[.:;] [A-Z]|PAWL/.test(text));

/** Code and quoted text are free. @param {string} text */
const proseOf = (text) => text.replaceAll(/`[^`\n]*`|"[^"\n]*"/g, (quoted) => " ".repeat(quoted.length));

/**
 * @param {string} text
 * @returns {{ found: string, instead: string, at: number }[]}
 */
export function refusedPhrasesIn(text) {
  const prose = proseOf(text);
  return refusedPhrases.flatMap(([pattern, instead]) =>
    [...prose.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map((m) => ({ found: m[0], instead, at: m.index })),
  );
}

/**
 * @param {Tree} tree
 * @returns {Problem[]}
 */
export function vocabularyProblems(tree) {
  /** @type {Problem[]} */
  const problems = [];
  for (const [path, text] of tree) {
    /** @type {(from: string, at: (offset: number) => number) => void} */
    const check = (from, at) => {
      for (const { found, instead, at: offset } of refusedPhrasesIn(from))
        problems.push({ path, line: at(offset), message: `"${found}": write plainly (${instead})` });
    };
    if (isPage(path)) {
      const prose = text.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, " "));
      check(prose, (offset) => text.slice(0, offset).split("\n").length);
    }
    if (!isCode(path)) continue;
    const syntax = syntaxOf(path, text);
    for (const c of syntax.comments) check(c.value, (offset) => syntax.lineOf(c.start + 2 + offset));
    // A text of one word is a name.
    for (const s of syntax.texts) if (s.value.includes(" ") && !isStatement(s.value)) check(s.value, () => syntax.lineOf(s.start));
  }
  return problems;
}
