import { prepared } from "../../db/sql.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import {
  changedOwnFields,
  type KeptOwnFields,
  maxMetadataKeys,
  type OwnFields,
  type SentOwnFields,
} from "../resources/own-fields.ts";
import type { RecordBody, Resource } from "../resources/resource.ts";
import type { Write } from "./write.ts";

/** What an API write makes of them. It holds the account's lock, so no other write takes the id meanwhile. */
export async function writeOwnFields(
  write: Write,
  { table, spanish }: Pick<Resource, "table" | "spanish">,
  current: OwnFields & Partial<Pick<RecordBody, "id">>,
  sent: SentOwnFields,
): Promise<KeptOwnFields> {
  const changed = changedOwnFields(current, sent);
  requireMetadata(changed);
  const { external_id } = changed;
  if (external_id === undefined || external_id === current.external_id) return changed;
  const taken = takenBy(write);
  const key = `${table} ${external_id}`;
  const [holder] = taken.has(key)
    ? [taken.get(key)]
    : (await holdersOf(write, table, [external_id])).filter(({ id }) => id !== current.id).map(({ id }) => id);
  if (holder !== undefined)
    throw new ApiError("CONFLICT", {
      param: "external_id",
      message: `El \`external_id\` "${external_id}" ya lo tiene ${spanish.one}${holder && ` (${holder})`}. Use otro, o edite ese registro.`,
    });
  taken.set(key, "");
  return changed;
}

export function requireMetadata({ metadata = {} }: OwnFields): void {
  const keys = Object.keys(metadata).length;
  if (keys <= maxMetadataKeys) return;
  const message = `\`metadata\` admite como máximo ${maxMetadataKeys} claves y quedaría con ${keys}. Quite alguna con \`null\`.`;
  throw validationError([{ param: "metadata", message }]);
}

/** What a write of several records has given: its queries do not see it. */
const given = new WeakMap<Write, Map<string, string>>();

function takenBy(write: Write): Map<string, string> {
  const taken = given.get(write) ?? new Map<string, string>();
  given.set(write, taken);
  return taken;
}

/** The living records that have one of these ids. */
export async function holdersOf(
  { client, accountId }: Pick<Write, "client" | "accountId">,
  table: string,
  externalIds: readonly string[],
): Promise<{ external_id: string; id: string }[]> {
  const { rows } = await client.query<{ external_id: string; id: string }>(
    prepared(
      `select external_id, id from ${table}
       where account_id = $1 and external_id = any($2::text[]) and external_id is not null and deleted_at is null`,
      [accountId, externalIds],
    ),
  );
  return rows;
}
