import type { Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { open, seal } from "../../lib/secret-box.ts";
import {
  derivedKey,
  type LastingPurpose,
  lastingPurposes,
  type RetiredKeys,
  type SecretKeys,
} from "../../lib/secret-keys.ts";

const purpose = "retired keys";

/** None where the schema does not have them yet. */
export async function readRetiredKeys(pool: Pool, secretKeys: SecretKeys): Promise<RetiredKeys> {
  const { rows } = await pool.query<{ sealed: string | null }>(
    "select to_jsonb(i)->>'retired_keys' as sealed from installation i",
  );
  const [row] = rows;
  if (!row?.sealed) return {};
  const box = Buffer.from(row.sealed.replace(/^\\x/, ""), "hex");
  const texts = JSON.parse(open(secretKeys, purpose, box)) as Partial<Record<LastingPurpose, string[]>>;
  return Object.fromEntries(
    lastingPurposes.map((name) => [name, (texts[name] ?? []).map((text) => Buffer.from(text, "base64"))]),
  );
}

/** Keeps what must outlive the previous key: keys of these purposes alone, sealed with the current one. Can be repeated. */
export async function retireKey(
  db: Queryable,
  { current, previous, known }: { current: string; previous: string; known: RetiredKeys },
): Promise<void> {
  const texts = Object.fromEntries(
    lastingPurposes.map((name) => {
      const former = (known[name] ?? []).map((key) => key.toString("base64"));
      return [name, [...new Set([derivedKey(previous, name).toString("base64"), ...former])]];
    }),
  );
  const sealed = seal(current, purpose, JSON.stringify(texts));
  await db.query(sql`update installation set retired_keys = ${sealed}`);
}
