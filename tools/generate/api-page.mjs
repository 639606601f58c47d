// The reference of the HTTP API as a page: every operation with its path, its members and an example, made from the document that a server
// serves at /openapi.json. How requests, errors and streams work is written by hand in docs/api.md.

/** @typedef {Record<string, any>} Json */

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|");

/** On one line where it fits. @param {unknown} value */
function shortly(value) {
  const line = JSON.stringify(value);
  return line.length <= 120 ? line : JSON.stringify(value, null, 2);
}

/** @param {Json} schema @returns {string} */
function kindOf(schema) {
  if (schema["$ref"] !== undefined) return String(schema["$ref"]).replace(/^.*\//, "");
  if (schema["enum"] !== undefined) return schema["enum"].map((/** @type {string} */ v) => `\`${v}\``).join(", ");
  if (schema["const"] !== undefined) return `\`${schema["const"]}\``;
  if (schema["anyOf"] !== undefined) return "one of several forms";
  if (schema["format"] === "date-time") return "time";
  if (schema["format"] === "uuid") return "UUID v4";
  switch (schema["type"]) {
    case "string":
      return "text";
    case "integer":
      return "whole number";
    case "array":
      return `list of ${kindOf(schema["items"])}`;
    case "object":
      return "object";
    case undefined:
      return "any value";
    default:
      return String(schema["type"]);
  }
}

/** @param {string} path @param {string} method @param {Json} of */
function sectionOf(path, method, of) {
  const body = of["requestBody"]?.content["application/json"];
  const required = new Set(body?.schema.required ?? []);
  const rows = [
    ...of["parameters"].map((/** @type {Json} */ p) => [p["name"], p["in"], p["required"] === true, p["schema"], p["description"]]),
    ...Object.entries(body?.schema.properties ?? {}).map(([name, s]) => [name, "body", required.has(name), s, s.description]),
  ].map(
    ([name, place, needed, schema, text]) =>
      `| \`${name}\` | ${place}${needed ? ", required" : ""} | ${cell(kindOf(schema))} | ${cell(text ?? "")} |`,
  );
  const table = rows.length === 0 ? "" : `\n| member | in | type | meaning |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
  const facts = [
    of["x-pawl-scope"] === "none" ? "Every caller may ask." : `Scope \`${of["x-pawl-scope"]}\`.`,
    ...(of["x-pawl-destructive"] === true ? ["Needs a reason."] : []),
    ...(of["x-pawl-idempotent-by"] === undefined ? [] : [`Acts once per \`${of["x-pawl-idempotent-by"]}\`.`]),
    ...(of["x-pawl-tool"] === undefined ? [] : [`MCP tool \`${of["x-pawl-tool"]}\`.`]),
    ...(of["description"] === undefined ? [] : [of["description"]]),
    `Answers ${Object.keys(of["responses"])
      .filter((s) => Number(s) < 300)
      .join(", ")}.`,
  ];
  const given = body?.example;
  const request = given === undefined || Object.keys(given).length === 0 ? "" : `\n\`\`\`json\n${shortly(given)}\n\`\`\`\n`;
  const answer = of["responses"]["200"].content["application/json"]?.example;
  const shown = answer === undefined ? "" : `\n\`\`\`json\n${shortly(answer)}\n\`\`\`\n`;
  return `### ${of["operationId"]}\n\n\`${method.toUpperCase()} ${path}\`\n\n${of["summary"]} ${facts.join(" ")}\n${table}${request === "" ? "" : `\nA request:\n${request}`}${shown === "" ? "" : `\nAn answer:\n${shown}`}`;
}

/** @param {Json} document */
export function apiPage(document) {
  const all = Object.entries(document["paths"]).flatMap(([path, methods]) =>
    Object.entries(/** @type {Json} */ (methods)).map(([method, of]) => ({ path, method, of })),
  );
  const groups = document["tags"].map((/** @type {Json} */ { name }) => {
    const own = all.filter(({ of, path }) => of["tags"][0] === name && path.startsWith("/v1/"));
    return `## ${name}\n\n${own.map(({ path, method, of }) => sectionOf(path, method, of)).join("\n")}`;
  });
  return `# Operations over HTTP

Every operation of a server with its path, its members and an example. This page is made from the document at \`/openapi.json\` by
\`npm run generate\`. How requests, errors and streams work: [the HTTP API](../api.md).

${groups.join("\n")}`;
}
