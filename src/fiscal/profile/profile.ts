import { ask, type Read, reading } from "../../db/read.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { sql } from "../../db/sql.ts";
import { open, seal } from "../../lib/secret-box.ts";
import type { SecretKeys } from "../../lib/secret-keys.ts";
import type { Regime } from "../../taxes/tax-classes.ts";
import type { NumberingRange, RangeKind } from "../numbering/numbering.ts";

/** Who issues an account's documents, and of which kind. */
export interface IssuerProfile {
  /** With its check digit: 900373923-8. */
  nit: string;
  regime: Regime;
  pricesIncludeTax: boolean;
  documents: "electronic" | "internal";
  /** Null when there is none, or none that this installation's SECRET_KEY opens. */
  softwarePin: string | null;
  authorityToken: string | null;
  settings: IssuerSettings;
  /** Sales received before this get no documents. */
  since: Date;
}

/** Options for the provider or the accountant; none of them is part of the seal. */
export interface IssuerSettings {
  municipality_id?: number;
  /** Six digits; the provider demands it of POS documents. */
  postal_zone_code?: string;
  /** Documents of a provider's test set are sent to other paths. */
  test_set_id?: string;
  software_manufacturer?: { name: string; business_name: string; software_name: string };
  cash_type?: string;
  /** Where the business's registers stand. */
  cash_location?: string;
  /** How many hours the authority may be away before the business counts as in contingency. */
  max_contingency_hours?: number;
  /** Warns of POS documents above this many UVT before taxes. */
  pos_limit_uvt?: number;
  /** Pesos per UVT, where another than the year's counts. */
  uvt?: number;
  /** The last day of the certificate with which the provider signs: 2027-05-31. */
  certificate_until?: string;
}

export type SecretName = "software pin" | "authority token" | "technical key";

/** The account is part of the purpose: a sealed secret copied to another account does not open there. */
const purpose = (name: SecretName, accountId: string) => `fiscal ${name} ${accountId}`;

export function sealSecret(secretKey: SecretKeys, name: SecretName, accountId: string, text: string): Buffer {
  return seal(secretKey, purpose(name, accountId), text);
}

/** A secret that does not open counts as missing: it must not stop a sale from being recorded. */
export function openSecret(
  secretKey: SecretKeys,
  name: SecretName,
  accountId: string,
  box: Buffer | null,
): string | null {
  if (box === null) return null;
  try {
    return open(secretKey, purpose(name, accountId), box);
  } catch {
    return null;
  }
}

interface ProfileRow {
  nit: string;
  regime: Regime;
  prices_include_tax: boolean;
  documents: IssuerProfile["documents"];
  software_pin: Buffer | null;
  authority_token: Buffer | null;
  settings: string;
  since: Date;
}

export function profileRead(secretKey: SecretKeys, accountId: string): Read<IssuerProfile | undefined> {
  const statement = sql`
    select nit, regime, prices_include_tax, documents, software_pin, authority_token, settings, since
    from fiscal_profiles where account_id = ${accountId}`;
  return reading(
    statement,
    ([row]: ProfileRow[]) =>
      row && {
        nit: row.nit,
        regime: row.regime,
        pricesIncludeTax: row.prices_include_tax,
        documents: row.documents,
        softwarePin: openSecret(secretKey, "software pin", accountId, row.software_pin),
        authorityToken: openSecret(secretKey, "authority token", accountId, row.authority_token),
        settings: JSON.parse(row.settings) as IssuerSettings,
        since: row.since,
      },
  );
}

export function readProfile(db: Reads, secretKey: SecretKeys, accountId: string): Promise<IssuerProfile | undefined> {
  return ask(db, profileRead(secretKey, accountId));
}

interface RangeRow {
  id: string;
  kind: RangeKind;
  prefix: string;
  first_number: number;
  last_number: number;
  next_number: number;
  valid_from: string | null;
  valid_until: string | null;
  technical_key: Buffer | null;
  resolution: string | null;
  register_id: string | null;
  warehouse_id: string | null;
  location_id: string | null;
  told: string[];
  taken: string | null;
}

/** In the order they were added: the first usable one is in use. */
export function readRanges(db: Reads, secretKey: SecretKeys, accountId: string): Promise<NumberingRange[]> {
  return ask(db, rangesRead(secretKey, accountId));
}

export function rangesRead(secretKey: SecretKeys, accountId: string): Read<NumberingRange[]> {
  const statement = sql`
    select id, kind, prefix, first_number, last_number, next_number, valid_from::text, valid_until::text, technical_key,
      resolution, register_id, warehouse_id, location_id, told, (
        select json_agg(t.number) from taken_numbers t
        where t.account_id = ${accountId} and t.range_id = r.id and t.number >= r.next_number) as taken
    from numbering_ranges r where account_id = ${accountId} order by created_at, id`;
  const rangeOf = (row: RangeRow): NumberingRange => ({
    id: row.id,
    kind: row.kind,
    prefix: row.prefix,
    first: row.first_number,
    last: row.last_number,
    next: row.next_number,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    technicalKey: openSecret(secretKey, "technical key", accountId, row.technical_key),
    resolution: row.resolution,
    registerId: row.register_id,
    warehouseId: row.warehouse_id,
    locationId: row.location_id,
    told: row.told,
    taken: new Set(JSON.parse(row.taken ?? "[]") as number[]),
  });
  return reading(statement, (rows: RangeRow[]) => rows.map(rangeOf));
}
