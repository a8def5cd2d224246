import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { projectDir } from "./process.ts";

/** What a tool answered: its JSON, or the error that it refused with. */
// biome-ignore lint/suspicious/noExplicitAny: read as a model would, without types
export type Answered = any;

/** An assistant as its makers build one: the protocol's own client library. */
export interface Assistant extends AsyncDisposable {
  client: Client;
  /** Throws where the tool refused. */
  use(tool: string, input?: object): Promise<Answered>;
  refusal(tool: string, input?: object): Promise<Answered>;
  toolNames(): Promise<string[]>;
}

export function assistantOverHttp(baseUrl: string, key: string): Promise<Assistant> {
  const headers = { authorization: `Bearer ${key}` };
  return connected(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }));
}

export function assistantOverStdio(baseUrl: string, key: string): Promise<Assistant> {
  const { PATH = "", HOME = "" } = process.env;
  return connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [`${projectDir}src/main.ts`, "mcp"],
      env: { PATH, HOME, MOSTRADOR_URL: baseUrl, MOSTRADOR_API_KEY: key },
      stderr: "ignore",
    }),
  );
}

async function connected(transport: unknown): Promise<Assistant> {
  const client = new Client({ name: "prueba", version: "1.0.0" });
  await client.connect(transport as Transport);
  async function call(name: string, input: object) {
    const { isError = false, content } = await client.callTool({ name, arguments: { ...input } });
    const [first] = content as { type: string; text: string }[];
    return { isError, said: JSON.parse(first?.text ?? "") as Answered };
  }
  return {
    client,
    async use(tool, input = {}) {
      const { isError, said } = await call(tool, input);
      if (isError) throw new Error(JSON.stringify(said));
      return said;
    },
    async refusal(tool, input = {}) {
      const { isError, said } = await call(tool, input);
      if (!isError) throw new Error(`${tool} did not refuse: ${JSON.stringify(said)}`);
      return said.error;
    },
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
