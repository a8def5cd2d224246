import { isIP } from "node:net";
import type { ByYear } from "./by-year.ts";
import { serverAddresses } from "./database-address.ts";
import { isLoopback } from "./is-loopback.ts";

/** An invalid setting: the process prints this one line and exits. */
export class ConfigError extends Error {}

export function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw new ConfigError(`${name}=${value} no es válido: use ${allowed.join(", ")}.`);
}

export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ConfigError(`${name}=${value} no es válido: use un número entero entre ${min} y ${max}.`);
}

/** A year and its pesos, several with commas: 2027=77,2028=81. */
export function byYear(name: string, value: string | undefined, example: string): ByYear {
  const parts = value?.split(",").map((part) => /^\s*(20\d\d)\s*=\s*(\d{1,7})\s*$/.exec(part)) ?? [];
  const known = parts.flatMap((part) => (part ? [[Number(part[1]), Number(part[2])] as const] : []));
  if (known.length === parts.length && new Set(known.map(([year]) => year)).size === known.length)
    return Object.fromEntries(known);
  throw new ConfigError(
    `${name}=${value} no es válido: use cada año una vez, con su valor en pesos sin puntos, por ejemplo ${example}.`,
  );
}

/** A number of proxies, or their addresses: 10.0.0.5, 10.0.0.0/8, loopback. Without it X-Forwarded-For is ignored. */
export function proxies(value: string | undefined): number | string[] | undefined {
  if (value === undefined || value === "0") return undefined;
  if (/^[1-9]$/.test(value)) return Number(value);
  const addresses = value.split(",").map((address) => address.trim());
  const wrong = addresses.find((address) => !isNetwork(address));
  if (wrong === undefined) return addresses;
  throw new ConfigError(
    `TRUST_PROXY=${value} no es válido: use cuántos proxies hay delante (1 a 9) o sus direcciones separadas por comas, por ejemplo 10.0.0.0/8.`,
  );
}

function isNetwork(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  if (maxBits === undefined || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
}

/**
 * A sender without an address, or with one that is nobody's, is only noticed when receiving servers refuse or drop the mail.
 * In live there is no default: a domain that is not the operator's own is taken for spam.
 */
export function sender(environment: "test" | "live", given: string | undefined): string {
  if (given === undefined && environment === "live")
    throw new ConfigError(
      "Falta MAIL_FROM: en producción es el remitente de los correos, de un dominio suyo, por ejemplo Tienda <avisos@tienda.com.co>.",
    );
  const value = given ?? "Mostrador <no-responder@mostrador.localhost>";
  const [, inBrackets, bare] =
    /^(?:[^<>@\p{Cc}]*<([^\s<>@,]+@[^\s<>@,]+)>|([^\s<>@,]+@[^\s<>@,]+))$/u.exec(value) ?? [];
  const domain = (inBrackets ?? bare)?.split("@")[1];
  if (domain !== undefined && (environment === "test" || isMailDomain(domain))) return value;
  throw new ConfigError(
    `MAIL_FROM=${JSON.stringify(value).slice(1, -1)} no es válido: use un correo, por ejemplo Tienda <avisos@tienda.com.co>.`,
  );
}

function isMailDomain(domain: string): boolean {
  return /^([a-z0-9-]+\.)+[a-z][a-z0-9-]+$/i.test(domain) && !isLoopback(domain);
}

/** An address alone is meant as mail. */
export function contact(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const meant = /^[^\s:/@]+@[^\s:/@]+$/.test(value) ? `mailto:${value}` : value;
  if (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(meant) && URL.canParse(meant)) return meant;
  throw new ConfigError(
    "SECURITY_CONTACT no es válida: use un correo (seguridad@tienda.com.co) o una dirección https:// donde se reporten las fallas.",
  );
}

export function url(name: string, value: string, protocols: readonly string[]): string {
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, "");
  throw new ConfigError(
    `${name} no es válida: use una dirección que empiece por ${protocols.map((one) => `${one}//`).join(" o ")}.`,
  );
}

/** Several servers are written as libpq does. Of its rules for choosing one, we have the one that writes need. */
export function databaseUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  for (const address of serverAddresses(value)) {
    url("DATABASE_URL", address, ["postgres:", "postgresql:"]);
    const wanted = new URL(address).searchParams.get("target_session_attrs") ?? "read-write";
    if (wanted !== "read-write" && wanted !== "primary")
      throw new ConfigError(
        "DATABASE_URL no es válida: target_session_attrs solo puede ser read-write o primary, porque Mostrador escribe.",
      );
  }
  return value.replace(/\/+$/, "");
}

export function optionalUrl(name: string, value: string | undefined, protocols: readonly string[]): string | undefined {
  return value === undefined ? undefined : url(name, value, protocols);
}

/** The listening address as a browser on this machine would write it. */
export function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
