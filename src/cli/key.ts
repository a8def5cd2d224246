import { createKey, maxKeysPerAccount, TooManyKeysError } from "../access/api-keys/create-key.ts";
import { revokeKey } from "../access/api-keys/revoke-key.ts";
import { sql } from "../db/sql.ts";
import { isScope, type Scope, scopes } from "../engine/resources/scopes.ts";
import { isUuid } from "../lib/ids.ts";
import { accountId } from "./account.ts";
import { type Command, required, UsageError, word } from "./command.ts";
import { withCurrentSchema, withDatabase } from "./with-database.ts";

export const keyCreate: Command = {
  name: "key create",
  summary: "Crea una clave de API; se muestra una sola vez",
  usage: "--account <id> --scopes customers:read,sales:read [--name …] [--expires 2027-01-31]",
  options: {
    account: "Id de la cuenta",
    scopes: `Permisos separados por comas, o "all": ${scopes.join(", ")}`,
    expires: "Fecha o instante ISO 8601 en que vence; sin ella no vence",
    name: "Nombre para reconocerla",
  },
  async run(invocation) {
    const account = accountId(required(invocation, "account"));
    const granted = readScopes(required(invocation, "scopes"));
    const expiresAt = readInstant(invocation.options.expires);
    const name = typeof invocation.options.name === "string" ? invocation.options.name : "CLI";
    const made = await withDatabase(invocation.config, (deps) => {
      if (expiresAt && expiresAt <= deps.clock.now())
        throw new UsageError(
          `--expires ${String(invocation.options.expires)} ya pasó: la clave nacería vencida. Indique un momento futuro o quítelo.`,
        );
      return createKey(deps, { accountId: account, name, scopes: granted, expiresAt });
    }).catch((error: unknown) => {
      if (error instanceof TooManyKeysError)
        throw new UsageError(
          `La cuenta ya tiene ${maxKeysPerAccount} claves. Revoque una con: npx mostrador key revoke <id>`,
        );
      throw error;
    });
    invocation.out.result(made, `Clave creada (${made.id}). Cópiela ahora; no se vuelve a mostrar:\n${made.key}`);
  },
};

export const keyRevoke: Command = {
  name: "key revoke",
  summary: "Revoca una clave de inmediato",
  usage: "<id>",
  takes: 1,
  async run(invocation) {
    const id = word(invocation, 0, "el id de la clave");
    const revoked = isUuid(id) ? await withDatabase(invocation.config, (deps) => revokeKey(deps, id)) : undefined;
    if (!revoked) throw new UsageError(`No existe la clave ${id}. Véalas con: npx mostrador key list --account <id>`);
    invocation.out.result(revoked, `Clave ${id} revocada.`);
  },
};

export const keyList: Command = {
  name: "key list",
  summary: "Muestra las claves de una cuenta",
  usage: "--account <id>",
  options: { account: "Id de la cuenta" },
  async run(invocation) {
    const account = accountId(required(invocation, "account"));
    const { rows, now } = await withCurrentSchema(invocation.config, async ({ pool, clock }) => {
      const found = await pool.query<KeyRow>(sql`
        select id, name, last_four, scopes, created_at, expires_at, revoked_at, last_used_at
        from api_keys where account_id = ${account} order by created_at, id`);
      return { rows: found.rows, now: clock.now() };
    });
    const lines = rows.map(
      (row) => `${row.id}  …${row.last_four}  ${stateOf(row, now)}  ${row.name}  ${row.scopes.join(",")}`,
    );
    invocation.out.result(
      { keys: rows },
      lines.join("\n") || "La cuenta no tiene claves. Cree una con: npx mostrador key create",
    );
  },
};

interface KeyRow {
  id: string;
  name: string;
  last_four: string;
  scopes: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
}

function stateOf({ revoked_at, expires_at }: KeyRow, now: Date): string {
  if (revoked_at) return "revocada";
  return expires_at && expires_at <= now ? "vencida " : "vigente ";
}

function readScopes(text: string): Scope[] {
  if (text === "all") return [...scopes];
  const asked = [...new Set(text.split(",").map((scope) => scope.trim()))];
  const unknown = asked.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw new UsageError(`El permiso "${unknown}" no existe. Use: ${scopes.join(", ")}.`);
  return asked.filter(isScope);
}

function readInstant(value: unknown): Date | undefined {
  if (value === undefined) return undefined;
  const instant = new Date(String(value));
  if (Number.isNaN(instant.getTime()))
    throw new UsageError(`--expires ${value} no es una fecha ISO 8601, por ejemplo 2027-01-31.`);
  return instant;
}
