import { purposeOf } from "../../access/people/second-step/totp-factor.ts";
import { openSecret, type SecretName, sealSecret } from "../../fiscal/profile/profile.ts";
import { open, seal } from "../../lib/secret-box.ts";
import type { SecretKeys } from "../../lib/secret-keys.ts";
import { secretBox } from "../../webhooks/endpoints/secret-box.ts";

/** Where a box is: its row, by the account and the id, which a table with one row for each account does not have. */
export interface Place {
  accountId: string;
  id: string;
}

/** A column with boxes. Each that seals something stands here; test/scenarios/rotate-secrets.test.ts asks of every column of bytes. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Whose the row is, as its box is bound to, and the row's key beside. */
  holder: "account_id" | "person_id";
  id: "id" | "account_id";
  /** The same secret in a new box; undefined when no key opens the old one. */
  reseal(keys: SecretKeys, place: Place, box: Buffer): Buffer | undefined;
}

const ofEndpoint = (column: string): SealedColumn => ({
  table: "webhook_endpoints",
  column,
  holder: "account_id",
  id: "id",
  reseal(keys, { id }, box) {
    const { open, seal } = secretBox(keys);
    return unlessUnreadable(() => seal(open(box, id), id));
  },
});

export function resealFiscal(keys: SecretKeys, name: SecretName, accountId: string, box: Buffer): Buffer | undefined {
  const text = openSecret(keys, name, accountId, box);
  return text === null ? undefined : sealSecret(keys, name, accountId, text);
}

const ofFiscal = (table: string, column: string, id: SealedColumn["id"], name: SecretName): SealedColumn => ({
  table,
  column,
  holder: "account_id",
  id,
  reseal: (keys, { accountId }, box) => resealFiscal(keys, name, accountId, box),
});

export const sealedColumns: readonly SealedColumn[] = [
  ofEndpoint("secret"),
  ofEndpoint("previous_secret"),
  ofEndpoint("own_headers"),
  ofFiscal("fiscal_profiles", "software_pin", "account_id", "software pin"),
  ofFiscal("fiscal_profiles", "authority_token", "account_id", "authority token"),
  ofFiscal("numbering_ranges", "technical_key", "id", "technical key"),
  {
    table: "factors",
    column: "secret",
    holder: "person_id",
    id: "id",
    reseal: (keys, { accountId: personId }, box) =>
      unlessUnreadable(() => seal(keys, purposeOf(personId), open(keys, purposeOf(personId), box))),
  },
];

/** In the payload of a change that waits for its code, as base64. */
export const sealedInPayloads: Readonly<Record<string, SecretName>> = {
  sealed_pin: "software pin",
  sealed_token: "authority token",
  sealed_key: "technical key",
};

function unlessUnreadable(reseal: () => Buffer): Buffer | undefined {
  try {
    return reseal();
  } catch {
    return undefined;
  }
}
