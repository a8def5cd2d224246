import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { type FieldError, validationError } from "../../lib/errors.ts";
import { endpointNotFound } from "./endpoint-not-found.ts";
import type { SecretBox } from "./secret-box.ts";

/** A header that a receiver asks for, such as the key of a gateway before it. Its value is a secret. */
export interface OwnHeader {
  name: string;
  /** Null: as it is stored. It is never shown again. */
  value: string | null;
}

export const maxOwnHeaders = 10;
export const maxHeaderName = 60;
export const maxHeaderValue = 1000;

/** Those of the connection, of HTTP itself, and of ours: a receiver trusts what they say. */
const taken = new Set([
  ...["accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect", "host"],
  ...["keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "via"],
]);
const takenBeginnings = ["service-", "proxy-"];

/** What may not stand there, for whoever fills the form. */
export function headerProblems(headers: readonly OwnHeader[], stored: readonly string[]): FieldError[] {
  const names = headers.map(({ name }) => name.toLowerCase());
  return headers.flatMap(({ name, value }, i) => {
    const lower = name.toLowerCase();
    const problem = (message: string) => [{ param: "headers", message }];
    if (!/^[a-z0-9-]+$/.test(lower))
      return problem(`Una cabecera se llama con letras sin tilde, números y guiones, como X-Clave. Corrija «${name}».`);
    if (taken.has(lower) || takenBeginnings.some((beginning) => lower.startsWith(beginning)))
      return problem(`La cabecera ${name} la pone Mostrador o la conexión. Use otro nombre, por ejemplo X-Clave.`);
    if (names.indexOf(lower) !== i) return problem(`La cabecera ${name} está dos veces. Deje una.`);
    if (value === null)
      return stored.some((one) => one.toLowerCase() === lower) ? [] : problem(`Falta el valor de la cabecera ${name}.`);
    // Only what every server takes: a line end would begin a header that nobody meant.
    if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value))
      return problem(
        `El valor de la cabecera ${name} admite letras sin tilde, números y signos, sin espacios a los lados. Corríjalo.`,
      );
    return [];
  });
}

/** The caller holds the account's clock. What is stored and was sent without a value stays. */
export async function setOwnHeaders(
  client: Client,
  box: SecretBox,
  accountId: string,
  id: string,
  headers: readonly OwnHeader[],
): Promise<void> {
  const { rows } = await client.query<{ own_headers: Buffer | null; header_names: string[] }>(sql`
    select own_headers, header_names from webhook_endpoints where account_id = ${accountId} and id = ${id} for update`);
  const row = rows[0];
  if (!row) throw endpointNotFound();
  const problems = headerProblems(headers, row.header_names);
  if (problems.length > 0) throw validationError(problems);
  const stored = new Map(
    Object.entries(openHeaders(box, id, row.own_headers)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const values = headers.map(({ name, value }) => [name, value ?? stored.get(name.toLowerCase()) ?? ""]);
  const sealed = headers.length === 0 ? null : box.seal(JSON.stringify(Object.fromEntries(values)), id);
  await client.query(sql`
    update webhook_endpoints set own_headers = ${sealed}, header_names = ${headers.map(({ name }) => name)}
    where account_id = ${accountId} and id = ${id}`);
}

export function openHeaders(box: SecretBox, id: string, sealed: Buffer | null): Record<string, string> {
  return sealed === null ? {} : (JSON.parse(box.open(sealed, id)) as Record<string, string>);
}
