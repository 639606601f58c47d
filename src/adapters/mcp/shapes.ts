// Clients of the Model Context Protocol by shape: `Client` of @modelcontextprotocol/client 2.x and of @modelcontextprotocol/sdk 1.x. Pawl
// depends on neither. Types only.

/** A tool as a server lists it. */
export interface McpListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** `Client` of @modelcontextprotocol/client 2.x, or of @modelcontextprotocol/sdk 1.x. */
export interface McpClient {
  listTools(params?: any, options?: any): Promise<{ tools: readonly McpListedTool[]; nextCursor?: string | undefined }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...more: any[]): Promise<unknown>;
  close?(): Promise<void>;
}

/** What a call answers. */
export interface McpAnswer {
  readonly content?: readonly {
    readonly type: string;
    readonly text?: string;
    readonly data?: string;
    readonly mimeType?: string;
    readonly uri?: string;
    readonly resource?: { readonly uri?: string; readonly text?: string; readonly blob?: string; readonly mimeType?: string };
  }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}
