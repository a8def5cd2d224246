import { type Actor, recordAudit, theOperator } from "../../access/accounts/record-audit.ts";
import type { Client, Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import type { SecretKeys } from "../../lib/secret-keys.ts";
import { formatNit, parseNit } from "../../taxes/nit.ts";
import type { Regime } from "../../taxes/tax-classes.ts";
import { isCertificateDay } from "./certificate.ts";
import { type IssuerProfile, type IssuerSettings, readProfile, sealSecret } from "./profile.ts";
import { isSoftwarePin, ProfileError } from "./profile-error.ts";

export interface ProfileChanges {
  nit?: string;
  regime?: Regime;
  pricesIncludeTax?: boolean;
  documents?: "electronic" | "internal";
  softwarePin?: string;
  authorityToken?: string;
  /** Those given are changed, and those given as null removed; the others stay. */
  settings?: SettingChanges;
}

export type SettingChanges = { [Name in keyof IssuerSettings]?: IssuerSettings[Name] | null | undefined };

export interface ConfiguringDeps {
  pool: Pool;
  clock: Clock;
  config: { secretKeys: SecretKeys };
}

/** Creates or changes an account's profile, with the account's clock held: no sale sees half of a change. */
export async function setProfile(
  deps: ConfiguringDeps,
  accountId: string,
  changes: ProfileChanges,
  actor: Actor = theOperator,
): Promise<IssuerProfile> {
  return transaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(sql`update account_clock set seq = seq where account_id = ${accountId}`);
    if (rowCount === 0) throw new ProfileError("unknown_account", `No existe la cuenta ${accountId}.`);
    const before = await readProfile(client, deps.config.secretKeys, accountId);
    const profile = await putProfile(client, deps, accountId, changes);
    const after = toldOf(profile);
    const details = { ...after, ...secretsChanged(changes), before: before ? toldOf(before) : null, after };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "fiscal_profile.set", details, actor });
    return profile;
  });
}

/** What the audit log tells of a profile: all but its secrets. */
export function toldOf({
  nit,
  regime,
  documents,
  pricesIncludeTax,
  settings,
}: PlannedProfile): Record<string, unknown> {
  return { nit, regime, prices_include_tax: pricesIncludeTax, documents, ...settings };
}

/** The audit log says only that a secret changed. */
function secretsChanged({ softwarePin, authorityToken }: ProfileChanges): Record<string, boolean> {
  return { pin_changed: softwarePin !== undefined, token_changed: authorityToken !== undefined };
}

/** For callers that already hold the account's clock and write the audit log. */
export async function putProfile(
  client: Client,
  { config: { secretKeys: secretKey }, clock }: Omit<ConfiguringDeps, "pool">,
  accountId: string,
  changes: ProfileChanges,
): Promise<IssuerProfile> {
  const now = clock.now();
  const next = await planProfile(client, secretKey, accountId, changes);
  const sealed = (name: "software pin" | "authority token", text: string | null | undefined) =>
    text ? sealSecret(secretKey, name, accountId, text) : null;
  await client.query(sql`
    insert into fiscal_profiles (account_id, nit, regime, prices_include_tax, documents, software_pin, authority_token,
      settings, since, updated_at)
    values (${accountId}, ${next.nit}, ${next.regime}, ${next.pricesIncludeTax}, ${next.documents},
      ${sealed("software pin", changes.softwarePin)}, ${sealed("authority token", changes.authorityToken)},
      ${JSON.stringify(next.settings)}, ${now}, ${now})
    on conflict (account_id) do update set nit = excluded.nit, regime = excluded.regime,
      prices_include_tax = excluded.prices_include_tax, documents = excluded.documents,
      software_pin = coalesce(excluded.software_pin, fiscal_profiles.software_pin),
      authority_token = coalesce(excluded.authority_token, fiscal_profiles.authority_token),
      settings = excluded.settings, updated_at = excluded.updated_at`);
  return must(await readProfile(client, secretKey, accountId), "The profile has just been stored");
}

/** The profile after the changes, without its secrets. Throws when it could not be stored. */
export async function planProfile(
  db: Queryable,
  secretKey: SecretKeys,
  accountId: string,
  changes: ProfileChanges,
): Promise<PlannedProfile> {
  const before = await readProfile(db, secretKey, accountId);
  const settings = changedSettings(before?.settings ?? {}, changes.settings ?? {});
  return checked({ pricesIncludeTax: true, documents: "electronic", ...before, ...changes, settings });
}

function changedSettings(before: IssuerSettings, changes: SettingChanges): IssuerSettings {
  const all = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== undefined);
  const settings = Object.fromEntries(all) as IssuerSettings;
  const { postal_zone_code: zone, max_contingency_hours: hours, certificate_until: until } = settings;
  if (until !== undefined && !isCertificateDay(until))
    throw new ProfileError(
      "bad_setting",
      "La fecha en que vence el certificado se escribe así: 2027-05-31.",
      "certificateUntil",
    );
  if (zone !== undefined && !/^\d{6}$/.test(String(zone)))
    throw new ProfileError("bad_setting", "La zona postal son 6 dígitos, por ejemplo 050021.", "postalZone");
  if (hours !== undefined && !(Number.isInteger(hours) && hours >= 1 && hours <= 720))
    throw new ProfileError("bad_setting", "Las horas de espera son un número entero de 1 a 720.", "contingencyHours");
  return { ...settings, ...(zone !== undefined && { postal_zone_code: String(zone) }) };
}

export type PlannedProfile = Omit<IssuerProfile, "softwarePin" | "authorityToken" | "since">;

function checked(
  profile: Partial<Omit<IssuerProfile, keyof Secrets>> &
    Secrets &
    Pick<IssuerProfile, "pricesIncludeTax" | "documents">,
): PlannedProfile {
  const { nit, regime, pricesIncludeTax, documents, softwarePin, settings = {} } = profile;
  if (nit === undefined) throw new ProfileError("missing", "Falta el NIT (por ejemplo 900373923-8).", "nit");
  if (regime === undefined) throw new ProfileError("missing", "Falta el régimen: iva, inc o none.", "regime");
  const reading = parseNit(nit);
  if (reading.kind === "unreadable") throw new ProfileError("bad_nit", `"${nit}" no es un NIT.`, "nit");
  if (reading.kind === "wrong_check_digit")
    throw new ProfileError(
      "bad_nit",
      `El dígito de verificación de ${nit} no corresponde: para ${reading.number} es ${reading.checkDigit}.`,
      "nit",
    );
  if (softwarePin && !isSoftwarePin(softwarePin))
    throw new ProfileError("bad_pin", "El PIN del software son letras y números, sin espacios.", "softwarePin");
  if (documents === "electronic" && !softwarePin)
    throw new ProfileError(
      "missing",
      "Falta el PIN del software: los documentos electrónicos se sellan con él.",
      "softwarePin",
    );
  return { nit: formatNit(reading.number), regime, pricesIncludeTax, documents, settings };
}

interface Secrets {
  softwarePin?: string | null;
  authorityToken?: string | null;
}
