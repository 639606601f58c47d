// What the rules need from a file's syntax: its imports, every identifier with its parent, its comments, its string
// literals, its calls, its classes, what it exports. From a real parser, so that neither strings nor comments can trip or fool a rule.
import { parseSync } from "oxc-parser";

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 * @typedef {{ node: Node, parent: Node, key: string }} Site
 * @typedef {{ specifier: string, start: number, erased: boolean }} Import
 * @typedef {{ imports: Import[], sites: Site[], strings: Node[], calls: Node[], classes: Node[], exports: { name: string, start: number }[], texts: { value: string, start: number }[], comments: { value: string, start: number, end: number }[], lineOf(at: number): number }} Syntax
 */

/** @type {Map<string, Syntax>} */
const cache = new Map();

/**
 * @param {string} path
 * @param {string} text
 * @returns {Syntax}
 */
export function syntaxOf(path, text) {
  const key = `${path}\0${text}`;
  const known = cache.get(key);
  if (known) return known;
  const parsed = parseSync(path, text);
  const error = parsed.errors[0];
  if (error) throw new SyntaxError(`${path}: ${error.message}`);
  /** @type {Syntax} */
  const syntax = {
    imports: [],
    sites: [],
    strings: [],
    calls: [],
    classes: [],
    exports: [],
    texts: [],
    comments: parsed.comments,
    lineOf: (at) => text.slice(0, at).split("\n").length,
  };
  visit(/** @type {any} */ (parsed.program), { type: "None", start: 0, end: 0 }, "", syntax);
  cache.set(key, syntax);
  return syntax;
}

/**
 * @param {Node} node
 * @param {Node} parent
 * @param {string} key
 * @param {Syntax} syntax
 */
function visit(node, parent, key, syntax) {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier" || node.type === "JSXIdentifier")
    syntax.sites.push({ node, parent, key });
  if (node.type === "Literal" && typeof node.value === "string") syntax.strings.push(node);
  if (node.type === "TemplateLiteral" && node.expressions.length === 0)
    syntax.strings.push({ ...node, value: node.quasis[0]?.value.cooked });
  if (node.type === "Literal" && typeof node.value === "string") syntax.texts.push({ value: node.value, start: node.start });
  if (node.type === "TemplateElement") syntax.texts.push({ value: node["value"].cooked ?? "", start: node.start });
  if (node.type === "CallExpression") syntax.calls.push(node);
  if (node.type === "ClassDeclaration" || node.type === "ClassExpression") syntax.classes.push(node);
  if (node.type === "ExportNamedDeclaration" && node["declaration"]) syntax.exports.push(...declaredBy(node["declaration"]));
  const from = /^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type) || node.type === "ImportExpression" ? node.source : undefined;
  const erased = node["importKind"] === "type" || node["exportKind"] === "type";
  if (from && typeof from.value === "string") syntax.imports.push({ specifier: from.value, start: from.start, erased });
  if (node.type === "TSImportType") {
    const source = node.source ?? node.argument?.literal;
    if (source && typeof source.value === "string") syntax.imports.push({ specifier: source.value, start: source.start, erased: true });
  }
  for (const [k, child] of Object.entries(node)) {
    for (const c of Array.isArray(child) ? child : [child]) {
      if (c !== null && typeof c === "object" && typeof c.type === "string") visit(c, node, k, syntax);
    }
  }
}

/**
 * The names that an exported declaration declares; patterns are left out.
 * @param {Node} declaration
 */
function declaredBy(declaration) {
  const ids =
    declaration.type === "VariableDeclaration" ? declaration["declarations"].map((/** @type {Node} */ d) => d["id"]) : [declaration["id"]];
  return ids
    .filter((/** @type {any} */ id) => id?.type === "Identifier")
    .map((/** @type {Node} */ id) => ({ name: id["name"], start: id.start }));
}

/**
 * Whether an identifier stands for a value or a binding, and is not just the name of a member.
 * @param {Site} site
 */
export function isReference({ parent, key }) {
  if (parent.type === "MemberExpression" && key === "property") return parent["computed"] === true;
  if (
    /^(Property|MethodDefinition|PropertyDefinition|AccessorProperty|TSPropertySignature|TSMethodSignature|TSEnumMember)$/.test(parent.type)
  ) {
    return key !== "key" || parent["computed"] === true || parent["shorthand"] === true;
  }
  if (parent.type === "ImportSpecifier") return key === "local";
  if (parent.type === "ExportSpecifier") return key === "local";
  if (parent.type === "TSQualifiedName") return key === "left";
  if (/^(LabeledStatement|BreakStatement|ContinueStatement|MetaProperty|ImportAttribute|TSNamedTupleMember)$/.test(parent.type))
    return false;
  return true;
}
