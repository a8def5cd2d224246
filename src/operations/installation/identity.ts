import { hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { Config } from "../../config.ts";
import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { acceptedKeys, type SecretKeys } from "../../lib/secret-keys.ts";
import { StartError } from "../start/start-error.ts";
import { readRetiredKeys } from "./retired-keys.ts";
import { opensStoredSecrets } from "./stored-secrets.ts";

type Environment = Config["environment"];
/** With one key only, or with both while it is exchanged. `retiredKeys` is filled with those of the installation. */
type Settings = Pick<Config, "environment" | "secretKey"> & Partial<Pick<Config, "secretKeys" | "retiredKeys">>;

/** What an installation is, as its first start stored it. */
export interface Identity {
  environment: Environment;
  keySalt: Buffer;
  keyCheck: Buffer;
}

const spanish = { test: "de pruebas", live: "de producción" } as const;

/** Undefined before the first start, and on a schema that does not have it yet. */
export async function readIdentity(pool: Pool): Promise<Identity | undefined> {
  const { rows: tables } = await pool.query("select from pg_class where oid = to_regclass('installation')");
  if (tables.length === 0) return undefined;
  // As JSON, in which a missing column is null like one without a value.
  const { rows } = await pool.query<{ environment: Environment | null; salt: string; check: string }>(`
    select j->>'environment' as environment, j->>'key_salt' as salt, j->>'key_check' as "check"
    from (select to_jsonb(i) as j from installation i) i`);
  const [row] = rows;
  if (!row?.environment) return undefined;
  return { environment: row.environment, keySalt: fromHex(row.salt), keyCheck: fromHex(row.check) };
}

/** Refuses settings that are not this installation's. Before its first start there is nothing to compare with. */
export async function requireOwnSettings(pool: Pool, settings: Settings): Promise<void> {
  const identity = await readIdentity(pool);
  if (!identity) return;
  compare(identity, settings);
  if (settings.retiredKeys) Object.assign(settings.retiredKeys, await readRetiredKeys(pool, keysOf(settings)));
}

/** For a start: what is not stored yet is stored now, unless the stored secrets tell that the key is another one. */
export async function settleIdentity(pool: Pool, settings: Settings): Promise<void> {
  if (!(await readIdentity(pool))) {
    if ((await opensStoredSecrets(pool, keysOf(settings))) === false) throw wrongKey();
    const { keySalt, keyCheck } = newKeyCheck(settings.secretKey);
    // Of processes that start together the first one decides.
    await pool.query(sql`
      update installation set environment = ${settings.environment}, key_salt = ${keySalt}, key_check = ${keyCheck}
      where environment is null`);
  }
  await requireOwnSettings(pool, settings);
}

/** Makes this key the installation's, or this environment. What was stored with the former key stays unreadable. */
export async function storeIdentity(pool: Pool, { environment, secretKey }: Settings): Promise<void> {
  const { keySalt, keyCheck } = newKeyCheck(secretKey);
  await pool.query(
    sql`update installation set environment = ${environment}, key_salt = ${keySalt}, key_check = ${keyCheck}`,
  );
}

export function isOwnKey({ keySalt, keyCheck }: Identity, secretKey: string): boolean {
  return timingSafeEqual(checkOf(secretKey, keySalt), keyCheck);
}

function keysOf({ secretKey, secretKeys }: Pick<Settings, "secretKey" | "secretKeys">): SecretKeys {
  return secretKeys ?? secretKey;
}

function compare(identity: Identity, { environment, ...keys }: Settings): void {
  if (identity.environment !== environment)
    throw new StartError(
      `Esta base de datos es de una instalación ${spanish[identity.environment]} y aquí dice ENVIRONMENT=${environment}. Ponga ENVIRONMENT=${identity.environment}, o use la base de datos que corresponde (DATABASE_URL o DATA_DIR).`,
    );
  if (!acceptedKeys(keysOf(keys)).some((key) => isOwnKey(identity, key))) throw wrongKey();
}

function wrongKey(): StartError {
  return new StartError(
    "SECRET_KEY no es la de esta instalación: con otra no se leen los secretos guardados (webhooks, PIN y claves fiscales). Use la que se guardó al instalar, aparte de las copias de la base de datos; en pruebas está en DATA_DIR/secret-key. Si se perdió o se filtró, acepte la nueva con: npx mostrador installation rekey",
  );
}

function newKeyCheck(secretKey: string): Pick<Identity, "keySalt" | "keyCheck"> {
  const keySalt = randomBytes(16);
  return { keySalt, keyCheck: checkOf(secretKey, keySalt) };
}

/** For this purpose alone and with a salt of its own: it tells nothing of the key, nor that two installations share one. */
function checkOf(secretKey: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secretKey, salt, "mostrador installation key check", 32));
}

/** As PostgreSQL writes bytes in JSON. */
function fromHex(text: string): Buffer {
  return Buffer.from(text.replace(/^\\x/, ""), "hex");
}
