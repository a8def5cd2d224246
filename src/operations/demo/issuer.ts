import { theOperator } from "../../access/accounts/record-audit.ts";
import { type BusinessLook, defaultLook, setLook } from "../../fiscal/profile/look.ts";
import { type ConfiguringDeps, setProfile } from "../../fiscal/profile/set-profile.ts";
import { setRange } from "../../fiscal/profile/set-range.ts";
import { day } from "../../lib/clock.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";

/** Test values published by the tax authority. They sign no real document. */
export const demoIssuer = {
  profile: { regime: "iva", pricesIncludeTax: true },
  issuerNit: "900373923-8",
  softwarePin: "12345",
  technicalKey: "fc8eac422eba16e22ffd8c6f94b3f40a6e38162c",
} as const;

export const demoPrefixes = { pos: "EPOS", invoice: "SETP", note: "NA" } as const;

/** The next number of each kind. */
export interface Numbering {
  pos: number;
  invoice: number;
  note: number;
}

export const firstNumbers: Readonly<Numbering> = { pos: 1, invoice: 990_000_000, note: 1 };

/** The demo's registers number their own documents; later sales continue those ranges on the server. */
export async function setUpIssuer(deps: ConfiguringDeps, accountId: string): Promise<void> {
  const { profile, issuerNit, softwarePin } = demoIssuer;
  await setProfile(deps, accountId, { ...profile, nit: issuerNit, documents: "electronic", softwarePin });
  await setLook(deps, accountId, demoLook, theOperator);
  await keepNumbering(deps, accountId, firstNumbers);
}

const demoLook: BusinessLook = {
  ...defaultLook,
  name: "Tienda La Esquina S.A.S.",
  address: "Cra 45 # 12-34",
  city: "Medellín",
  phone: "604 555 0134",
  email: "hola@laesquina.example",
  color: "#b3261e",
  footer: "Gracias por preferirnos. Cambios dentro de los 8 días con su documento de compra.",
};

/** Sets the ranges to the next free numbers. */
export async function keepNumbering(deps: ConfiguringDeps, accountId: string, next: Numbering): Promise<void> {
  const resolution = "18760000001";
  // Resolutions are valid for two years.
  const validUntil = bogotaDate(new Date(deps.clock.now().getTime() + 730 * day));
  const { technicalKey } = demoIssuer;
  await setRange(deps, accountId, {
    kind: "pos",
    prefix: demoPrefixes.pos,
    first: firstNumbers.pos,
    last: 500_000,
    next: next.pos,
    validUntil,
    resolution,
  });
  await setRange(deps, accountId, {
    kind: "invoice",
    prefix: demoPrefixes.invoice,
    first: firstNumbers.invoice,
    last: 995_000_000,
    next: next.invoice,
    validUntil,
    resolution,
    technicalKey,
  });
  await setRange(deps, accountId, {
    kind: "note",
    prefix: demoPrefixes.note,
    first: firstNumbers.note,
    last: 999_999_999,
    next: next.note,
    validUntil: null,
  });
}
