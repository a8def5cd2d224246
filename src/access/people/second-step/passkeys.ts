import { isIP } from "node:net";
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { Client, Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { minute } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { requireRoom } from "./factors.ts";

/** As long as a browser asks for a finger before it gives up. */
const challengeLifeMs = 5 * minute;

type Site = Pick<CoreDeps, "pool" | "config" | "clock">;

/** Browsers keep passkeys for names only: an installation reached by an address has none. */
export function hasPasskeys({ publicUrl }: CoreDeps["config"]): boolean {
  return isIP(siteOf(publicUrl).rpID.replace(/^\[|\]$/g, "")) === 0;
}

export async function registrationOptions(
  site: Site,
  person: { id: string; email: string; name: string },
  purpose: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const options = await generateRegistrationOptions({
    rpName: "Mostrador",
    rpID: siteOf(site.config.publicUrl).rpID,
    userName: person.email,
    userDisplayName: person.name || person.email,
    userID: new Uint8Array(Buffer.from(person.id.replaceAll("-", ""), "hex")),
    attestationType: "none",
    excludeCredentials: await credentialsOf(site.pool, person.id),
    // Found without an address, and never used without a finger, a face or a PIN: it signs in by itself.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await keepChallenge(site, options.challenge, purpose);
  return options;
}

export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: readonly string[];
}

/** What is to be stored of a passkey that was just made, once what it signed is right. */
export async function checkNewPasskey(
  site: Site,
  { purpose, credential }: { purpose: string; credential: object },
): Promise<NewPasskey> {
  const response = credential as RegistrationResponseJSON;
  const expectedChallenge = await takeChallenge(site, response, purpose);
  const { origin, rpID } = siteOf(site.config.publicUrl);
  const verified = await verifyRegistrationResponse({
    ...{ response, expectedChallenge, expectedOrigin: origin, expectedRPID: rpID },
    requireUserVerification: true,
  }).catch(notRight);
  if (!verified.verified) throw notRight();
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return {
    credentialId: Buffer.from(id, "base64url"),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports,
  };
}

export async function storePasskey(
  client: Client,
  { personId, name, passkey, now }: { personId: string; name: string; passkey: NewPasskey; now: Date },
): Promise<{ id: string; name: string }> {
  await requireRoom(client, personId, "passkey");
  const id = uuidv7(now);
  const { rowCount } = await client.query(sql`
    insert into factors (id, person_id, kind, name, credential_id, public_key, sign_count, transports, created_at, confirmed_at)
    values (${id}, ${personId}, 'passkey', ${name}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.signCount},
      ${[...passkey.transports]}, ${now}, ${now})
    on conflict do nothing`);
  if (rowCount === 0) throw notRight();
  return { id, name };
}

/** What a passkey is asked to sign: any, or only those of one person. */
export async function authenticationOptions(
  site: Site,
  purpose: string,
  personId?: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await generateAuthenticationOptions({
    rpID: siteOf(site.config.publicUrl).rpID,
    userVerification: "required",
    ...(personId !== undefined && { allowCredentials: await credentialsOf(site.pool, personId) }),
  });
  await keepChallenge(site, options.challenge, purpose);
  return options;
}

/** Whose passkey signed; refuses what no live one did, and with `personId` that of anybody else. */
export async function checkPasskey(
  site: Site,
  { purpose, credential, personId }: { purpose: string; credential: object; personId?: string },
): Promise<{ personId: string; factorId: string }> {
  const response = credential as AuthenticationResponseJSON;
  const expectedChallenge = await takeChallenge(site, response, purpose);
  const { rows } = await site.pool.query<StoredPasskey>(sql`
    select id, person_id, public_key, sign_count, transports from factors
    where credential_id = ${Buffer.from(String(response.id), "base64url")} and kind = 'passkey' and removed_at is null`);
  const stored = rows[0];
  if (!stored || (personId !== undefined && stored.person_id !== personId)) throw notRight();
  const { origin, rpID } = siteOf(site.config.publicUrl);
  const verified = await verifyAuthenticationResponse({
    ...{ response, expectedChallenge, expectedOrigin: origin, expectedRPID: rpID },
    credential: {
      id: response.id,
      publicKey: new Uint8Array(stored.public_key),
      counter: Number(stored.sign_count),
      transports: stored.transports,
    },
    requireUserVerification: true,
  }).catch(notRight);
  if (!verified.verified) throw notRight();
  const { rowCount } = await site.pool.query(sql`
    update factors set sign_count = ${verified.authenticationInfo.newCounter}, last_used_at = ${site.clock.now()}
    where id = ${stored.id} and removed_at is null`);
  if (rowCount === 0) throw notRight();
  return { personId: stored.person_id, factorId: stored.id };
}

interface StoredPasskey {
  id: string;
  person_id: string;
  public_key: Buffer;
  sign_count: number;
  transports: AuthenticatorTransport[];
}

async function credentialsOf(
  db: Queryable,
  personId: string,
): Promise<{ id: string; transports: AuthenticatorTransport[] }[]> {
  const { rows } = await db.query<{ credential_id: Buffer; transports: AuthenticatorTransport[] }>(sql`
    select credential_id, transports from factors
    where person_id = ${personId} and kind = 'passkey' and removed_at is null order by created_at`);
  return rows.map(({ credential_id, transports }) => ({ id: credential_id.toString("base64url"), transports }));
}

async function keepChallenge({ pool, clock }: Site, challenge: string, purpose: string): Promise<void> {
  const now = clock.now();
  await pool.query(sql`delete from passkey_challenges where expires_at < ${now}`);
  await pool.query(sql`
    insert into passkey_challenges (challenge, purpose, created_at, expires_at)
    values (${challenge}, ${purpose}, ${now}, ${new Date(now.getTime() + challengeLifeMs)})`);
}

/** The challenge that was signed, used up by this: it was made for this purpose, and not long ago. */
async function takeChallenge(
  { pool, clock }: Site,
  { response }: { response: { clientDataJSON: string } },
  purpose: string,
): Promise<string> {
  const challenge = challengeIn(response?.clientDataJSON);
  const { rowCount } = await pool.query(sql`
    delete from passkey_challenges
    where challenge = ${challenge ?? ""} and purpose = ${purpose} and expires_at > ${clock.now()}`);
  if (challenge === undefined || rowCount === 0) throw notRight();
  return challenge;
}

function challengeIn(clientData: unknown): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(String(clientData), "base64url").toString()) as {
      challenge?: unknown;
    };
    return typeof challenge === "string" && /^[\w-]{1,200}$/.test(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}

function siteOf(publicUrl: string): { origin: string; rpID: string } {
  const { origin, hostname } = new URL(publicUrl);
  return { origin, rpID: hostname };
}

/** What exactly was wrong with it tells only whoever forges one. */
function notRight(_why?: unknown): never {
  throw new ApiError("CODE_INCORRECT", {
    param: "credential",
    message: "No se pudo comprobar su llave de acceso. Intente otra vez, o elija otra forma.",
  });
}
