import type { ErrorObject } from "ajv";
import { fieldErrors, validatorCompiler } from "../api/http/validation.ts";
import { refusalOf } from "../api/public/authenticate.ts";
import { ApiError, validationError } from "../lib/errors.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { allTools } from "./tools.ts";

type Validate = ((value: unknown) => boolean) & { errors?: ErrorObject[] | null };

/** Compiled with the first call of each tool. */
const validators = new Map<string, Validate>();

/** Runs a tool for whoever may: what its key lacks is refused before anything is read. */
export async function callTool(context: ToolContext, name: string, input: object): Promise<object> {
  const tool = allTools.find((one) => one.name === name);
  if (!tool)
    throw new ApiError("ROUTE_NOT_FOUND", {
      message: `No hay una herramienta con ese nombre. Use una de las que lista el servidor.`,
    });
  for (const scope of tool.scopes) {
    const refusal = refusalOf(context.access, scope);
    if (refusal) throw refusal;
  }
  check(tool, input);
  return tool.run(input as never, context);
}

function check({ name, input: schema }: Tool, input: object): void {
  let validate = validators.get(name);
  if (!validate) {
    validate = validatorCompiler({ schema, httpPart: "body", method: "POST", url: "/mcp" }) as Validate;
    validators.set(name, validate);
  }
  if (!validate(input)) throw validationError(fieldErrors(validate.errors ?? [], "arguments"));
}
