import { createHash } from "node:crypto";

/** A statement for the driver. With a name, each connection parses and plans it once. */
export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

const namesByText = new Map<string, string>();

/** A prepared statement. Its name is a digest of the text, so equal texts share one plan. */
export function prepared(text: string, values: unknown[]): Statement {
  let name = namesByText.get(text);
  if (name === undefined) {
    name = createHash("sha1").update(text).digest("base64url");
    namesByText.set(text, name);
  }
  return { name, text, values };
}

/**
 * unnest() of parameters. Each is selected, so that the planner does not see how long the arrays are: otherwise it would plan
 * anew for short ones, which takes longer than the statement.
 */
export function unnested(...arrays: readonly string[]): string {
  return `unnest(${arrays.map((array) => `(select ${array})`).join(", ")})`;
}

/**
 * Whether a row is of one of the accounts in a parameter. Where rows are found by another condition, this says it once more: of a
 * single account, a distributed table finds the shard by it.
 */
export function ofAccounts(table: string, parameter = "$1"): string {
  return `${table}.account_id = any (${parameter}::uuid[])`;
}

const textsByTemplate = new WeakMap<TemplateStringsArray, string>();

/** sql`select … where id = ${id}`: every interpolation becomes a parameter, never text. */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Statement {
  let text = textsByTemplate.get(parts);
  if (text === undefined) {
    text = parts.reduce((all, part, i) => (i === 0 ? part : `${all}$${i}${part}`), "");
    textsByTemplate.set(parts, text);
  }
  return prepared(text, values);
}
