import type { Static } from "typebox";
import type { Config } from "../../../config.ts";
import { label, nullable, oneOf, uuid } from "../../../engine/resources/fields.ts";
import { missingIn } from "../../../fiscal/profile/completeness.ts";
import { type IssuerProfile, openSecret, sealSecret } from "../../../fiscal/profile/profile.ts";
import { ProfileError, type ProfileField } from "../../../fiscal/profile/profile-error.ts";
import type { ProfileChanges } from "../../../fiscal/profile/set-profile.ts";
import type { RangeInput, RangePlace } from "../../../fiscal/profile/set-range.ts";
import { shownProfile } from "../../../fiscal/profile/shown-settings.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { SecretKeys } from "../../../lib/secret-keys.ts";
import type { Answers } from "../answers.ts";

const closed = { additionalProperties: false };
const maxNumber = 999_999_999;
const documentNumber = (options: object = {}) => Type.Integer({ minimum: 1, maximum: maxNumber, ...options });

/** Omitted secrets stay unchanged: nobody should type a PIN again to change the regime. */
export const ProfileBody = Type.Object(
  {
    nit: label(30),
    regime: oneOf(["iva", "inc", "none"]),
    prices_include_tax: Type.Boolean(),
    documents: oneOf(["electronic", "internal"]),
    /** Omitted, they stay; null or empty removes them. */
    postal_zone_code: Type.Optional(nullable(Type.String({ maxLength: 20 }))),
    max_contingency_hours: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 720 }))),
    certificate_until: Type.Optional(nullable(Type.String({ maxLength: 20 }))),
    software_pin: Type.Optional(nullable(label(40))),
    authority_token: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 500,
          // It is sent in a header.
          pattern: "^[\\x21-\\x7e]+$",
          "x-hints": { pattern: "El token es una sola palabra, sin espacios ni tildes. Cópielo de nuevo." },
        }),
      ),
    ),
  },
  closed,
);

export const RangeBody = Type.Object(
  {
    kind: oneOf(["pos", "invoice", "note"]),
    prefix: Type.Optional(Type.String({ maxLength: 20 })),
    from: documentNumber(),
    to: documentNumber(),
    next: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: maxNumber + 1 }))),
    reason: Type.Optional(nullable(label(200))),
    valid_from: Type.Optional(nullable(Type.String({ maxLength: 20 }))),
    valid_until: Type.Optional(nullable(Type.String({ maxLength: 20 }))),
    technical_key: Type.Optional(nullable(label(100))),
    resolution: Type.Optional(nullable(label(40))),
    /** Whom it serves: one register, the registers of a warehouse, those of a sede, or all. */
    register_id: Type.Optional(nullable(uuid())),
    warehouse_id: Type.Optional(nullable(uuid())),
    registers: Type.Optional(Type.Array(uuid(), { maxItems: 100 })),
    location_id: Type.Optional(nullable(uuid())),
  },
  closed,
);

/** A profile that waits for its code. Its secrets are encrypted, because the table of confirmations stores it. */
export type ProfilePayload = Omit<Static<typeof ProfileBody>, "software_pin" | "authority_token"> & {
  sealed_pin: string | null;
  sealed_token: string | null;
};

export type RangePayload = Required<Omit<Static<typeof RangeBody>, "technical_key">> & { sealed_key: string | null };

/** Texts of people, trimmed; nothing is null. */
function trimmed(text: string | null | undefined): string | null {
  return text?.trim() || null;
}

interface Holder {
  secretKey: SecretKeys;
  accountId: string;
}

export function readProfileBody(body: Static<typeof ProfileBody>): ProfileChanges {
  const pin = body.software_pin?.trim();
  return {
    nit: body.nit.trim(),
    regime: body.regime,
    pricesIncludeTax: body.prices_include_tax,
    documents: body.documents,
    ...(pin && { softwarePin: pin }),
    ...(body.authority_token && { authorityToken: body.authority_token }),
    settings: {
      ...(body.postal_zone_code !== undefined && { postal_zone_code: trimmed(body.postal_zone_code) }),
      ...(body.max_contingency_hours !== undefined && { max_contingency_hours: body.max_contingency_hours }),
      ...(body.certificate_until !== undefined && { certificate_until: trimmed(body.certificate_until) }),
    },
  };
}

export function readRangeBody(body: Static<typeof RangeBody>): RangeInput {
  return {
    kind: body.kind,
    prefix: (body.prefix ?? "").trim().toUpperCase(),
    first: body.from,
    last: body.to,
    validFrom: trimmed(body.valid_from),
    validUntil: trimmed(body.valid_until),
    place: placeOf(body),
    ...(body.next && { next: body.next }),
    ...(body.reason && { reason: body.reason.trim() }),
    ...(body.technical_key && { technicalKey: body.technical_key.trim() }),
    ...(body.resolution && { resolution: body.resolution.trim() }),
  };
}

function placeOf({
  register_id,
  warehouse_id,
  registers = [],
  location_id,
}: Pick<Static<typeof RangeBody>, "register_id" | "warehouse_id" | "registers" | "location_id">): RangePlace {
  if (register_id) return { registerId: register_id.toLowerCase() };
  if (location_id) return { locationId: location_id.toLowerCase() };
  if (!warehouse_id) return "everywhere";
  return { warehouseId: warehouse_id.toLowerCase(), registers: registers.map((id) => id.toLowerCase()) };
}

export function packProfile({ secretKey, accountId }: Holder, nit: string, changes: ProfileChanges): ProfilePayload {
  const sealed = (name: "software pin" | "authority token", text: string | undefined) =>
    text === undefined ? null : sealSecret(secretKey, name, accountId, text).toString("base64");
  return {
    nit,
    regime: changes.regime!,
    prices_include_tax: changes.pricesIncludeTax!,
    documents: changes.documents!,
    ...settingsIn(changes),
    sealed_pin: sealed("software pin", changes.softwarePin),
    sealed_token: sealed("authority token", changes.authorityToken),
  };
}

function settingsIn({ settings = {} }: ProfileChanges) {
  const { postal_zone_code, max_contingency_hours, certificate_until } = settings;
  return {
    ...(postal_zone_code !== undefined && { postal_zone_code }),
    ...(max_contingency_hours !== undefined && { max_contingency_hours }),
    ...(certificate_until !== undefined && { certificate_until }),
  };
}

export function unpackProfile({ secretKey, accountId }: Holder, payload: ProfilePayload): ProfileChanges {
  const { nit, regime, prices_include_tax, documents, sealed_pin, sealed_token, ...settings } = payload;
  const softwarePin = openSecret(secretKey, "software pin", accountId, boxOf(sealed_pin));
  const authorityToken = openSecret(secretKey, "authority token", accountId, boxOf(sealed_token));
  return {
    nit,
    regime,
    pricesIncludeTax: prices_include_tax,
    documents,
    settings,
    ...(softwarePin !== null && { softwarePin }),
    ...(authorityToken !== null && { authorityToken }),
  };
}

export function packRange({ secretKey, accountId }: Holder, input: RangeInput): RangePayload {
  const { kind, prefix, first, last, next, reason, validFrom, validUntil, technicalKey, resolution, place } = input;
  const key = technicalKey === undefined ? null : sealSecret(secretKey, "technical key", accountId, technicalKey);
  return {
    kind,
    prefix,
    from: first,
    to: last,
    next: next ?? null,
    reason: reason ?? null,
    valid_from: validFrom ?? null,
    valid_until: validUntil,
    register_id: typeof place === "object" && "registerId" in place ? place.registerId : null,
    warehouse_id: typeof place === "object" && "warehouseId" in place ? place.warehouseId : null,
    registers: typeof place === "object" && "registers" in place ? [...place.registers] : [],
    location_id: typeof place === "object" && "locationId" in place ? place.locationId : null,
    sealed_key: key?.toString("base64") ?? null,
    resolution: resolution ?? null,
  };
}

export function unpackRange({ secretKey, accountId }: Holder, payload: RangePayload): RangeInput {
  const { kind, prefix, from, to, next, reason, valid_from, valid_until, sealed_key, resolution } = payload;
  const technicalKey = openSecret(secretKey, "technical key", accountId, boxOf(sealed_key));
  return {
    kind,
    prefix,
    first: from,
    last: to,
    validFrom: valid_from,
    validUntil: valid_until,
    place: placeOf(payload),
    ...(next !== null && { next }),
    ...(reason && { reason }),
    ...(technicalKey !== null && { technicalKey }),
    ...(resolution !== null && { resolution }),
  };
}

function boxOf(base64: string | null): Buffer | null {
  return base64 === null ? null : Buffer.from(base64, "base64");
}

export function profileAnswer(profile: IssuerProfile, config: Config): Answers["GET /fiscal-profile"] {
  const provider = config.fiscalAuthority;
  return { object: "fiscal_profile", ...shownProfile(profile), provider, missing: missingIn(profile, config) };
}

const wireNames: Record<ProfileField, string> = {
  nit: "nit",
  regime: "regime",
  softwarePin: "software_pin",
  postalZone: "postal_zone_code",
  contingencyHours: "max_contingency_hours",
  certificateUntil: "certificate_until",
  prefix: "prefix",
  first: "from",
  last: "to",
  next: "next",
  reason: "reason",
  validFrom: "valid_from",
  validUntil: "valid_until",
  place: "register_id",
  technicalKey: "technical_key",
};

/** Awaits work under the fiscal rules, and reports what they refuse with the field it concerns. */
export async function reportingProblems<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const { problem, field, message } = error;
    if (problem === "unknown_document")
      throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este documento en la cuenta.", cause: error });
    if (problem === "not_resendable") throw new ApiError("DOCUMENT_NOT_RESENDABLE", { message, cause: error });
    throw validationError([{ param: field ? wireNames[field] : "body", message }]);
  }
}
