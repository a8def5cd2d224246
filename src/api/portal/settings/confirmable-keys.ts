import { announceChange } from "../../../access/accounts/announce-change.ts";
import { insertKey, maxKeysPerAccount, TooManyKeysError } from "../../../access/api-keys/create-key.ts";
import { rotateKey } from "../../../access/api-keys/rotate-key.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import type { Scope } from "../../../engine/resources/scopes.ts";
import { ApiError } from "../../../lib/errors.ts";
import type { Results } from "../answers.ts";
import type { Confirmable } from "./confirmable.ts";
import { overlapText } from "./confirmation-words.ts";

export interface KeyPayloads {
  "api_key.create": {
    name: string;
    scopes: Scope[];
    expires_at: string | null;
    allowed_addresses?: string[] | null;
  };
  "api_key.rotate": {
    api_key_id: string;
    name: string;
    last_four: string;
    overlap_hours: number;
    /** Not in what a process of the version before stored. */
    scopes?: Scope[];
  };
  "api_key.restrict": { api_key_id: string; name: string; last_four: string; allowed_addresses: string[] | null };
}

/** What may be done with keys. */
export const keyActions: { [A in keyof KeyPayloads]: Confirmable<KeyPayloads[A], Results[A]> } = {
  "api_key.create": {
    right: "developers:write",
    scopes: ({ scopes }) => scopes,
    describe: ({ name, scopes, expires_at, allowed_addresses }) => ({
      title: "crear una clave de API",
      lines: [
        ...[`Nombre: ${name}`, `Permisos: ${scopes.join(", ")}`, `Vence: ${expires_at ?? "nunca"}`],
        ...(allowed_addresses ? [addressLine(allowed_addresses)] : []),
      ],
    }),
    async perform({ deps, client, accountId, now }, { name, scopes, expires_at: asked, allowed_addresses = null }) {
      const wish = { accountId, name, scopes, allowedAddresses: allowed_addresses };
      const expiry = asked === null ? undefined : new Date(asked);
      const { id, key, expiresAt } = await limitingKeys(insertKey(client, deps, { ...wish, expiresAt: expiry }));
      const expires_at = expiresAt?.toISOString() ?? null;
      const api_key = { id, name, last_four: key.slice(-4), scopes, created_at: now, expires_at, revoked_at: null };
      const told = { kind: "key_made", about: { api_key_id: id } } as const;
      return { result: { api_key, key }, details: { api_key_id: id, name, scopes, allowed_addresses }, told };
    },
    notice: ({ name, scopes }) => ({
      title: "se creó una clave de API",
      lines: [`Nombre: ${name}`, `Permisos: ${scopes.join(", ")}`],
    }),
  },
  "api_key.rotate": {
    right: "developers:write",
    scopes: ({ scopes }) => scopes ?? [],
    describe: ({ name, last_four, overlap_hours }) => ({
      title: "rotar una clave de API",
      lines: [`Clave: ${name} (termina en ${last_four})`, overlapText(overlap_hours)],
    }),
    async perform({ deps, client, accountId, now }, { api_key_id, overlap_hours }) {
      const rotation = { accountId, id: api_key_id, overlapHours: overlap_hours };
      const { id, key, old, worksUntil, expiresAt: expires_at } = await limitingKeys(rotateKey(client, deps, rotation));
      const { name, scopes } = old;
      const api_key = { id, name, last_four: key.slice(-4), scopes, created_at: now, expires_at, revoked_at: null };
      return {
        result: { api_key, key, previous: { id: api_key_id, works_until: worksUntil } },
        details: { api_key_id, name, new_api_key_id: id, overlap_hours },
        told: { kind: "key_made", about: { api_key_id: id } },
      };
    },
    notice: ({ name, overlap_hours }) => ({
      title: "se rotó una clave de API",
      lines: [`Clave: ${name}`, overlapText(overlap_hours)],
    }),
  },
  "api_key.restrict": {
    right: "developers:write",
    describe: ({ name, last_four, allowed_addresses }) => ({
      title: "cambiar desde dónde sirve una clave de API",
      lines: [`Clave: ${name} (termina en ${last_four})`, addressLine(allowed_addresses)],
    }),
    async perform({ client, accountId }, { api_key_id, name, allowed_addresses }) {
      const { rows } = await client.query<{ allowed_addresses: string[] | null }>(sql`
        select allowed_addresses from api_keys where account_id = ${accountId} and id = ${api_key_id} for update`);
      await client.query(sql`
        update api_keys set allowed_addresses = ${allowed_addresses} where account_id = ${accountId} and id = ${api_key_id}`);
      await announceChange(client, "access");
      const before = { allowed_addresses: oneRow(rows).allowed_addresses };
      return { result: { allowed_addresses }, details: { api_key_id, name, before, after: { allowed_addresses } } };
    },
    notice: ({ name, allowed_addresses }) => ({
      title: "cambió desde dónde sirve una clave de API",
      lines: [`Clave: ${name}`, addressLine(allowed_addresses)],
    }),
  },
};

function addressLine(addresses: readonly string[] | null): string {
  return `Sirve desde: ${addresses?.join(", ") ?? "cualquier dirección"}`;
}

/** Awaits work that may exceed the number of keys, and reports that to the client. */
export async function limitingKeys<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof TooManyKeysError)) throw error;
    throw new ApiError("TOO_MANY_KEYS", {
      message: `La cuenta ya tiene ${maxKeysPerAccount} claves de API vigentes, que es el máximo. Revoque una que no use.`,
    });
  });
}
