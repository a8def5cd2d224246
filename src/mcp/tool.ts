import type { FastifyBaseLogger } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Access } from "../access/api-keys/access-cache.ts";
import type { ServedDeps } from "../deps.ts";
import type { Scope } from "../engine/resources/scopes.ts";
import type { ApiCalls } from "./api-calls.ts";
import type { Docs } from "./docs.ts";

/** What a tool works with: the key's access, the API in its name, and what the service knows besides. */
export interface ToolContext {
  access: Access;
  api: ApiCalls;
  deps: ServedDeps;
  docs: Docs;
  log: FastifyBaseLogger;
  /** From where the assistant called. */
  remoteAddress: string;
}

/** One task that an assistant can do for a business. */
export interface Tool<Schema extends TSchema = TSchema> {
  name: string;
  title: string;
  description: string;
  input: Schema;
  /** The key needs all of them. */
  scopes: readonly Scope[];
  /** It changes something: a first call shows what, and a second one with `confirmation` does it. */
  writes?: { destroys: boolean };
  run(input: Static<Schema>, context: ToolContext): Promise<object>;
}

/** Lets the input's type follow from its schema. */
export function defineTool<Schema extends TSchema>(tool: Tool<Schema>): Tool {
  return tool as Tool<never>;
}
