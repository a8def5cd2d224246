import { requireDevices } from "../../access/devices/require-devices.ts";
import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";

/** What a new or changed product asks about the rest of its account. */
export interface ProductLookups {
  /** Of these codes, those that another product has which is not deleted. */
  taken(codes: readonly string[], ownId: string): Promise<readonly string[]>;
  /** Refuses the change of a product that some register would not take. */
  requireDevices(): Promise<void>;
}

/** Each product asks by itself. */
export function productLookups(write: Write): ProductLookups {
  return {
    taken: async (codes, ownId) => takenOf(await readHolders(write, codes), codes, ownId),
    requireDevices: () => requireDevices(write, remoteEdit),
  };
}

/** For many products in one write, whose codes are asked for at once. */
export async function lookUpTogether(write: Write, codes: readonly string[]): Promise<ProductLookups> {
  const holders = await readHolders(write, codes);
  let devices: Promise<void> | undefined;
  return {
    taken: async (some, ownId) => takenOf(holders, some, ownId),
    requireDevices: () => (devices ??= requireDevices(write, remoteEdit)),
  };
}

const remoteEdit = "product.remote_edit.1";

interface Holder {
  id: string;
  codes: string[];
}

/** There is no race, because the write holds the account's lock. */
async function readHolders(write: Write, codes: readonly string[]): Promise<Holder[]> {
  if (codes.length === 0) return [];
  const { rows } = await write.client.query<Holder>(sql`
    select id, skus || barcodes as codes from products
    where account_id = ${write.accountId} and deleted_at is null
      and (skus && ${codes}::text[] or (barcodes <> '{}' and barcodes && ${codes}::text[]))`);
  return rows;
}

function takenOf(holders: readonly Holder[], codes: readonly string[], ownId: string): string[] {
  if (holders.length === 0) return [];
  const held = new Set(holders.filter(({ id }) => id !== ownId).flatMap((holder) => holder.codes));
  return codes.filter((code) => held.has(code));
}
