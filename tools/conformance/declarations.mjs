// What a source file declares, at its top level and as members of its classes, and what each declaration mentions: names of the same
// file, names that it imports, names of members, and files that it loads. Types are left out: they run nothing. A class with `@calledBy` in its
// comment is handed to a package that calls its members.
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 * @typedef {{ file: string, name: string }} Target `name` "*" is everything that the file exports
 * @typedef {{ id: string, file: string, name: string, member?: string, start: number, end: number, names: Set<string>, members: Set<string>, files: Set<string> }} Declaration
 * @typedef {{ file: string, declarations: Declaration[], imports: Map<string, Target>, exports: Map<string, Target>, all: string[], calledByOthers(at: number): boolean }} Module
 */

const runs = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSInstantiationExpression", "TSTypeAssertion"]);

/**
 * @param {string} from
 * @param {string} specifier
 */
const resolve = (from, specifier) => posix.join(posix.dirname(from), specifier);

/**
 * @param {string} file
 * @param {string} text
 * @returns {Module}
 */
export function moduleOf(file, text) {
  const { program, comments } = /** @type {{ program: any, comments: any[] }} */ (parseSync(file, text));
  const foreign = comments.filter((c) => c.value.includes("@calledBy")).map((c) => c.end);
  /** @type {Module} */
  const found = {
    file,
    declarations: [],
    imports: new Map(),
    exports: new Map(),
    all: [],
    calledByOthers: (at) => foreign.some((end) => text.slice(end, at).trim() === ""),
  };
  const rest = declaration(file, "", { start: 0, end: text.length });
  found.declarations.push(rest);
  for (const statement of program.body) readStatement(found, rest, statement, undefined);
  return found;
}

/**
 * @param {string} file
 * @param {string} name
 * @param {{ start: number, end: number }} place
 * @param {string} [member]
 * @returns {Declaration}
 */
function declaration(file, name, place, member) {
  const id = `${file}#${name}${member === undefined ? "" : `.${member}`}`;
  return {
    id,
    file,
    name,
    ...(member === undefined ? {} : { member }),
    start: place.start,
    end: place.end,
    names: new Set(),
    members: new Set(),
    files: new Set(),
  };
}

/**
 * @param {Module} found
 * @param {Declaration} rest what the file does as it is loaded
 * @param {Node} statement
 * @param {Node | undefined} exported the export around it
 */
function readStatement(found, rest, statement, exported) {
  const { file } = found;
  const here = (/** @type {string} */ name) => exported !== undefined && found.exports.set(name, { file, name });
  const place = exported ?? statement;
  if (statement["declare"] === true) return;
  if (statement.type === "ImportDeclaration") {
    if (!statement["source"].value.startsWith(".")) return;
    const from = resolve(file, statement["source"].value);
    if (statement["importKind"] !== "type") rest.files.add(from);
    for (const s of statement["specifiers"])
      if (s.importKind !== "type" && statement["importKind"] !== "type")
        found.imports.set(s.local.name, { file: from, name: s.type === "ImportSpecifier" ? s.imported.name : "*" });
  } else if (statement.type === "ExportAllDeclaration") {
    if (statement["exportKind"] !== "type") found.all.push(resolve(file, statement["source"].value));
  } else if (statement.type === "ExportNamedDeclaration") {
    if (statement["declaration"]) return readStatement(found, rest, statement["declaration"], statement);
    if (statement["exportKind"] === "type") return;
    const from = statement["source"] ? resolve(file, statement["source"].value) : file;
    for (const s of statement["specifiers"])
      if (s.exportKind !== "type") found.exports.set(s.exported.name, { file: from, name: s.local.name });
  } else if (statement.type === "FunctionDeclaration") {
    const d = declaration(file, statement["id"].name, place);
    found.declarations.push(d);
    here(d.name);
    look(d, statement);
  } else if (statement.type === "VariableDeclaration") {
    for (const v of statement["declarations"]) {
      const names = v.id.type === "Identifier" ? [v.id.name] : [...bound(v.id)];
      for (const name of names) {
        const d = declaration(file, name, statement["declarations"].length === 1 ? place : v);
        found.declarations.push(d);
        here(name);
        look(d, v);
      }
    }
  } else if (statement.type === "ClassDeclaration") readClass(found, statement, place, here);
  else if (!/^TS(Interface|TypeAlias|Module)/.test(statement.type)) look(rest, statement);
}

/**
 * @param {Module} found
 * @param {Node} node
 * @param {Node} place
 * @param {(name: string) => unknown} here
 */
function readClass(found, node, place, here) {
  const d = declaration(found.file, node["id"].name, place);
  found.declarations.push(d);
  here(d.name);
  if (node["superClass"]) look(d, node["superClass"]);
  for (const m of node["body"].body) {
    const named = m.type === "MethodDefinition" && m.kind !== "constructor" && !m.computed;
    if (!named) {
      look(d, m);
      continue;
    }
    const member = declaration(
      found.file,
      d.name,
      m,
      m.key.type === "PrivateIdentifier" ? `#${m.key.name}` : (m.key.name ?? String(m.key.value)),
    );
    found.declarations.push(member);
    if (found.calledByOthers(place.start)) d.members.add(/** @type {string} */ (member.member));
    look(member, m.value);
  }
}

/**
 * The names that a pattern binds.
 * @param {any} node
 * @returns {Iterable<string>}
 */
function* bound(node) {
  if (node?.type === "Identifier") yield node.name;
  for (const child of Object.values(node ?? {}))
    for (const c of Array.isArray(child) ? child : [child]) if (c && typeof c === "object" && typeof c.type === "string") yield* bound(c);
}

/**
 * Collects what a piece of code mentions.
 * @param {Declaration} d
 * @param {any} node
 */
function look(d, node) {
  if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
  if (node.type.startsWith("TS") && !runs.has(node.type) && node.type !== "TSParameterProperty") return;
  if (node.type === "Identifier") d.names.add(node.name);
  if (node.type === "MemberExpression" && !node.computed)
    d.members.add(node.property.type === "PrivateIdentifier" ? `#${node.property.name}` : node.property.name);
  if (node.type === "Property" && !node.computed && node.key.name !== undefined) d.members.add(node.key.name);
  if (node.type === "Literal" && typeof node.value === "string") mention(d, node.value);
  if (node.type === "TemplateElement") mention(d, `${node.value.cooked}.ts`);
  for (const [key, child] of Object.entries(node)) {
    if (key === "key" && node.type === "Property" && !node.computed) continue;
    if (key === "property" && node.type === "MemberExpression" && !node.computed) continue;
    for (const c of Array.isArray(child) ? child : [child]) look(d, c);
  }
}

/**
 * A text may be the name of a member, or of a file that is loaded at run time.
 * @param {Declaration} d
 * @param {string} text
 */
function mention(d, text) {
  if (/^\.{1,2}\/.*\.ts$/.test(text)) d.files.add(`*${resolve(d.file, text)}`);
  else if (/^\w+$/.test(text)) d.members.add(text);
}
