import { insertKey, maxKeysPerAccount, TooManyKeysError } from "../../../access/api-keys/create-key.ts";
import { rotateKey } from "../../../access/api-keys/rotate-key.ts";
import { insertEnrolmentCode } from "../../../access/devices/create-enrolment-code.ts";
import { changeEmail } from "../../../access/people/change-email.ts";
import { endResets } from "../../../access/people/password-reset.ts";
import { makeUndoable } from "../../../access/people/undo-email-change.ts";
import { requireOpenLocation } from "../../../business/locations/registers.ts";
import type { EventType } from "../../../engine/events/event-types.ts";
import type { Scope } from "../../../engine/resources/scopes.ts";
import { readProfile } from "../../../fiscal/profile/profile.ts";
import { putProfile, toldOf } from "../../../fiscal/profile/set-profile.ts";
import { putRange } from "../../../fiscal/profile/set-range.ts";
import { shownRange } from "../../../fiscal/profile/shown-settings.ts";
import { ApiError } from "../../../lib/errors.ts";
import { createEndpoint } from "../../../webhooks/endpoints/create-endpoint.ts";
import { rotateSecret } from "../../../webhooks/endpoints/rotate-secret.ts";
import { secretBox } from "../../../webhooks/endpoints/secret-box.ts";
import { findEndpoint } from "../../../webhooks/endpoints/store.ts";
import { updateEndpoint } from "../../../webhooks/endpoints/update-endpoint.ts";
import type { Results } from "../answers.ts";
import type { Confirmable } from "./confirmable.ts";
import { overlapText, profileLines, rangeLines } from "./confirmation-words.ts";
import {
  type ProfilePayload,
  profileAnswer,
  type RangePayload,
  reportingProblems,
  unpackProfile,
  unpackRange,
} from "./fiscal-settings.ts";
import { type PersonalPayloads, personalActions } from "./personal-actions.ts";

/** The data stored with each pending change. */
export interface Payloads extends PersonalPayloads {
  "webhook_endpoint.create": { url: string; event_types: EventType[]; name: string | null };
  "webhook_endpoint.change_url": {
    endpoint_id: string;
    old_url: string;
    url: string;
    event_types: EventType[] | null;
    name?: string | null;
  };
  "webhook_endpoint.rotate_secret": { endpoint_id: string; url: string };
  "api_key.create": { name: string; scopes: Scope[]; expires_at: string | null };
  "api_key.rotate": { api_key_id: string; name: string; last_four: string; overlap_hours: number };
  "device.enrol": { name: string; location_id?: string | undefined };
  "account.change_email": { email: string; old_email: string };
  "fiscal_profile.set": ProfilePayload;
  "numbering_range.set": RangePayload;
}

export type ConfirmableAction = keyof Payloads;

/** Every change that requires a mailed code. */
export const confirmableActions: { [A in ConfirmableAction]: Confirmable<Payloads[A], Results[A]> } = {
  "webhook_endpoint.create": {
    right: "developers:write",
    describe: ({ url, event_types }) => ({
      title: "agregar un webhook",
      lines: [`Dirección: ${url}`, `Eventos: ${event_types.join(", ")}`],
    }),
    async perform({ deps, client, accountId, hasPro, now }, payload) {
      requirePro(hasPro);
      const { id, secret } = await createEndpoint(client, secretBox(deps.config.secretKey), accountId, payload, now);
      const endpoint = await findEndpoint(client, accountId, id, now);
      return { result: { endpoint, secret }, details: { endpoint_id: id, url: payload.url } };
    },
    notice: ({ url }) => ({ title: "se agregó un webhook", lines: [`Dirección: ${url}`] }),
  },
  "webhook_endpoint.change_url": {
    right: "developers:write",
    describe: ({ old_url, url }) => ({
      title: "cambiar la dirección de un webhook",
      lines: [`Dirección nueva: ${url}`, `Dirección actual: ${old_url}`],
    }),
    async perform({ client, accountId, hasPro, now }, { endpoint_id, old_url, url, event_types, name }) {
      requirePro(hasPro);
      const changes = { url, ...(event_types && { event_types }), ...(name !== undefined && { name }) };
      await updateEndpoint(client, accountId, endpoint_id, changes, now);
      const endpoint = await findEndpoint(client, accountId, endpoint_id, now);
      return { result: { endpoint }, details: { endpoint_id, old_url, url } };
    },
    notice: ({ old_url, url }) => ({
      title: "cambió la dirección de un webhook",
      lines: [`Dirección nueva: ${url}`, `Dirección anterior: ${old_url}`],
    }),
  },
  "webhook_endpoint.rotate_secret": {
    right: "developers:write",
    describe: ({ url }) => ({ title: "rotar el secreto de un webhook", lines: [`Dirección: ${url}`] }),
    async perform({ deps, client, accountId, hasPro, now }, { endpoint_id, url }) {
      requirePro(hasPro);
      const box = secretBox(deps.config.secretKey);
      const { secret } = await rotateSecret(client, box, accountId, endpoint_id, now);
      const endpoint = await findEndpoint(client, accountId, endpoint_id, now);
      return { result: { endpoint, secret }, details: { endpoint_id, url } };
    },
    notice: ({ url }) => ({
      title: "se rotó el secreto de un webhook",
      lines: [`Dirección: ${url}`, "El secreto anterior sigue firmando, junto al nuevo, durante 24 horas."],
    }),
  },
  "api_key.create": {
    right: "developers:write",
    describe: ({ name, scopes, expires_at }) => ({
      title: "crear una clave de API",
      lines: [`Nombre: ${name}`, `Permisos: ${scopes.join(", ")}`, `Vence: ${expires_at ?? "nunca"}`],
    }),
    async perform({ deps, client, accountId, now }, { name, scopes, expires_at }) {
      const expiresAt = expires_at === null ? undefined : new Date(expires_at);
      const { id, key } = await limitingKeys(insertKey(client, deps, { accountId, name, scopes, expiresAt }));
      const api_key = { id, name, last_four: key.slice(-4), scopes, created_at: now, expires_at, revoked_at: null };
      const told = { kind: "key_made", about: { api_key_id: id } } as const;
      return { result: { api_key, key }, details: { api_key_id: id, name, scopes }, told };
    },
    notice: ({ name, scopes }) => ({
      title: "se creó una clave de API",
      lines: [`Nombre: ${name}`, `Permisos: ${scopes.join(", ")}`],
    }),
  },
  "api_key.rotate": {
    right: "developers:write",
    describe: ({ name, last_four, overlap_hours }) => ({
      title: "rotar una clave de API",
      lines: [`Clave: ${name} (termina en ${last_four})`, overlapText(overlap_hours)],
    }),
    async perform({ deps, client, accountId, now }, { api_key_id, overlap_hours }) {
      const rotation = { accountId, id: api_key_id, overlapHours: overlap_hours };
      const { id, key, old, worksUntil } = await limitingKeys(rotateKey(client, deps, rotation));
      const { name, scopes, expires_at } = old;
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
  "device.enrol": {
    right: "registers:write",
    describe: ({ name }) => ({ title: "vincular una caja", lines: [`Caja: ${name}`] }),
    async perform({ client, accountId, now }, { name, location_id }) {
      await requireOpenLocation(client, accountId, location_id);
      const { code, expires_at } = await insertEnrolmentCode(client, now, { accountId, name, locationId: location_id });
      return { result: { enrolment_code: code, expires_at }, details: { name } };
    },
    notice: ({ name }) => ({ title: "se creó un código para vincular una caja", lines: [`Caja: ${name}`] }),
  },
  "account.change_email": {
    right: "anyone",
    describe: ({ email, old_email }) => ({
      title: "cambiar el correo de su cuenta",
      lines: [`Correo nuevo: ${email}`, `Correo actual: ${old_email}`],
    }),
    // One code proves access to the new address, the other that the owner asks: a password alone may be stolen.
    newAddress: ({ email }) => email,
    async perform({ deps, client, accountId, personId, now }, { email, old_email }) {
      await changeEmail(client, { personId, oldEmail: old_email, email, now });
      await endResets(client, personId, now);
      const change = { accountId, personId, oldEmail: old_email, now };
      const undoLink = await makeUndoable(client, deps.config.publicUrl, change);
      return { result: { email }, details: { old_email, email }, undoLink };
    },
    notice: ({ email, old_email }) => ({
      title: "cambió el correo de su cuenta",
      lines: [`Correo nuevo: ${email}`, `Correo anterior: ${old_email}`],
    }),
    // An owner who loses the account must learn of it at the old address.
    noticeTo: ({ old_email }) => old_email,
  },
  "fiscal_profile.set": {
    right: "fiscal",
    describe: (payload) => ({ title: "cambiar el perfil fiscal de su negocio", lines: profileLines(payload) }),
    unseal: unpackProfile,
    async perform({ deps, client, accountId }, payload) {
      const changes = unpackProfile({ secretKey: deps.config.secretKey, accountId }, payload);
      const before = await readProfile(client, deps.config.secretKey, accountId);
      const profile = await reportingProblems(putProfile(client, deps, accountId, changes));
      const { sealed_pin, sealed_token, ...details } = payload;
      return {
        result: { fiscal_profile: profileAnswer(profile, deps.config) },
        details: {
          ...{ ...details, pin_changed: sealed_pin !== null, token_changed: sealed_token !== null },
          ...{ before: before ? toldOf(before) : null, after: toldOf(profile) },
        },
      };
    },
    notice: (payload) => ({ title: "cambió el perfil fiscal de su negocio", lines: profileLines(payload) }),
  },
  "numbering_range.set": {
    right: "fiscal",
    describe: (payload) => ({ title: "registrar un rango de numeración", lines: rangeLines(payload) }),
    unseal: unpackRange,
    async perform({ deps, client, accountId }, payload) {
      const input = unpackRange({ secretKey: deps.config.secretKey, accountId }, payload);
      const range = await reportingProblems(putRange(client, deps, accountId, input, "portal"));
      const { sealed_key, ...details } = payload;
      return {
        result: { numbering_range: shownRange(range) },
        details: { ...details, key_changed: sealed_key !== null },
      };
    },
    notice: (payload) => ({ title: "se registró un rango de numeración", lines: rangeLines(payload) }),
  },
  ...personalActions,
};

export function requirePro(hasPro: boolean): void {
  if (hasPro) return;
  // The owner reads this one: there is nobody further to ask but who operates the service.
  throw new ApiError("PLAN_REQUIRED", {
    message: "La API y los webhooks hacen parte del plan Pro. Pida el cambio de plan a quien opera el servicio.",
  });
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
