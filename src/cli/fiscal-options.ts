import type { ProfileChanges, SettingChanges } from "../fiscal/profile/set-profile.ts";
import type { RangeInput, RangePlace } from "../fiscal/profile/set-range.ts";
import { isUuid } from "../lib/ids.ts";
import { type Invocation, required, UsageError } from "./command.ts";
import { secretReader } from "./read-secret.ts";

/** What the options of `fiscal set` change in a profile. */
export async function readChanges(invocation: Invocation): Promise<ProfileChanges> {
  const { options } = invocation;
  const secret = secretReader(invocation);
  const one = <T extends string>(name: string, allowed: readonly T[]): T | undefined => {
    const value = options[name];
    if (value === undefined || (allowed as readonly unknown[]).includes(value)) return value as T | undefined;
    throw new UsageError(`--${name} ${value} no existe: use ${allowed.join(", ")}.`);
  };
  const text = (name: string) =>
    typeof options[name] === "string" && options[name] !== "" ? options[name] : undefined;
  const includes = one("prices-include-tax", ["true", "false"]);
  const regime = one("regime", ["iva", "inc", "none"]);
  const documents = one("documents", ["electronic", "internal"]);
  const nit = text("nit");
  const softwarePin = await secret("pin");
  const authorityToken = await secret("authority-token");
  const zone = text("postal-zone");
  const hours = text("max-contingency-hours");
  const until = text("certificate-until");
  const given = readSettings(text("settings"));
  const settings: SettingChanges | undefined =
    given || zone || hours || until
      ? {
          ...given,
          ...(zone && { postal_zone_code: zone }),
          ...(hours && { max_contingency_hours: Number(hours) }),
          ...(until && { certificate_until: until }),
        }
      : undefined;
  const changes: ProfileChanges = {
    ...(nit && { nit }),
    ...(regime && { regime }),
    ...(includes && { pricesIncludeTax: includes === "true" }),
    ...(documents && { documents }),
    ...(softwarePin && { softwarePin }),
    ...(authorityToken && { authorityToken }),
    ...(settings && { settings }),
  };
  if (Object.keys(changes).length === 0) throw new UsageError("Indique qué cambiar, por ejemplo --regime iva.");
  return changes;
}

function readSettings(text: string | undefined): SettingChanges | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError("--settings debe ser un objeto JSON, por ejemplo '{\"municipality_id\":1}'.");
}

/** The range that the options of `fiscal range` describe. */
export async function readRange(invocation: Invocation): Promise<RangeInput> {
  const { options } = invocation;
  const kind = required(invocation, "kind");
  if (kind !== "pos" && kind !== "invoice" && kind !== "note")
    throw new UsageError(`--kind ${kind} no existe: use pos, invoice o note.`);
  const technicalKey = await secretReader(invocation)("technical-key");
  return {
    kind,
    prefix: String(options.prefix ?? "").toUpperCase(),
    first: wholeNumber(invocation, "from"),
    last: wholeNumber(invocation, "to"),
    ...(typeof options["valid-from"] === "string" && { validFrom: options["valid-from"] }),
    validUntil: typeof options["valid-until"] === "string" ? options["valid-until"] : null,
    ...readPlace(options),
    ...(technicalKey && { technicalKey }),
    ...(typeof options.resolution === "string" && { resolution: options.resolution }),
    ...(options.next !== undefined && { next: wholeNumber(invocation, "next") }),
    ...(typeof options.reason === "string" && { reason: options.reason.trim() }),
  };
}

function readPlace({ register, warehouse, registers, location }: Invocation["options"]): { place?: RangePlace } {
  if (register === "all") return { place: "everywhere" };
  if (typeof register === "string") return { place: { registerId: uuidIn("register", register) } };
  if (typeof location === "string") return { place: { locationId: uuidIn("location", location) } };
  if (typeof warehouse !== "string") return {};
  const ids = typeof registers === "string" ? registers.split(",").map((one) => uuidIn("registers", one)) : [];
  return { place: { warehouseId: uuidIn("warehouse", warehouse), registers: ids } };
}

function uuidIn(name: string, text: string): string {
  const id = text.trim().toLowerCase();
  if (!isUuid(id)) throw new UsageError(`--${name} ${text} no es un id.`);
  return id;
}

function wholeNumber(invocation: Invocation, name: string): number {
  const value = required(invocation, name);
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} ${value} no es un número entero.`);
  return Number(value);
}
