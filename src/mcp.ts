// pawl/mcp: the tools of MCP servers, for agents. The package that speaks the protocol is the user's own: nothing of it is loaded here. (Pawl's own
// MCP server is a part of pawl/server and of the command line.)
export { mcp, type McpOpts, type McpSource } from "./adapters/mcp/source.ts";
export type { McpClient, McpListedTool } from "./adapters/mcp/shapes.ts";
