import { isIP } from "node:net";
import { domainToUnicode } from "node:url";
import { parse as parseDomain } from "tldts";

/**
 * Checks the URL that a business types for its endpoint (service document: URL rules). This looks at the text only: a
 * public name may still resolve to a private address, now or later, so each send checks the addresses again.
 */
export function checkEndpointUrl(text: string): EndpointUrlCheck {
  if (text.length > maxUrlLength) return refuse("too_long");
  if (invisibleOrUnsafe.test(text)) return refuse("characters");

  // The WHATWG parser repairs what it reads ("https:a.co", "https:///a.co", an empty "@", "#" or port leave no trace),
  // and another parser may repair it differently. So the raw text must already be well formed.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "https") return refuse("scheme");
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return refuse("not_a_url");
  if (authority.includes("@")) return refuse("user_info");
  if (text.includes("#")) return refuse("fragment");
  if (authority.includes("[")) return refuse("ip_address");
  if (authority.includes("%")) return refuse("hostname");
  const port = /:.*$/.exec(authority)?.[0];
  if (port !== undefined && port !== ":443") return refuse("port");

  const url = URL.parse(text);
  if (url === null) return refuse("not_a_url");
  // "a.co." equals "a.co" for DNS, but not for certificates or in a comparison: one dot is removed; a second one is an
  // empty label, refused below.
  const hostname = url.hostname.replace(/\.$/, "");
  const refusal = refusalOfHostname(hostname);
  if (refusal) return refuse(refusal);

  url.hostname = hostname;
  // The canonical form is stored, and Punycode and percent-encoding make it longer.
  if (url.href.length > maxUrlLength) return refuse("too_long");
  return { ok: true, url: url.href, hostname };
}

export type EndpointUrlCheck =
  | { ok: true; url: string; hostname: string }
  | { ok: false; reason: UrlRefusal; message: string };

export type UrlRefusal = keyof typeof refusalMessages;

/** Not in the service document: the longest URL that browsers, proxies and log tools all accept. */
export const maxUrlLength = 2048;

const refusalMessages = {
  too_long: `La URL tiene más de ${maxUrlLength} caracteres. Use una más corta.`,
  characters:
    "La URL tiene espacios, saltos de línea, barras invertidas o caracteres invisibles. Quítelos y vuelva a escribirla, por ejemplo https://tienda.com.co/webhooks.",
  scheme:
    "Solo se aceptan direcciones https. Cambie el comienzo por https:// y use un certificado válido en su servidor.",
  not_a_url: "La dirección no es una URL válida. Escríbala completa, por ejemplo https://tienda.com.co/webhooks.",
  user_info:
    "La URL lleva un usuario o una @ antes del dominio. Quítelos: cada entrega ya va firmada con el secreto del endpoint.",
  fragment: "La URL lleva un fragmento, que nunca llega al servidor. Quite el signo # y lo que le sigue.",
  port: "Solo se acepta el puerto 443. Quite el puerto de la URL y reciba las entregas en el 443.",
  ip_address: "La URL apunta a una dirección IP. Use un nombre de dominio público, por ejemplo https://tienda.com.co.",
  hostname: "El dominio no está bien escrito. Use solo letras, números, guiones y puntos, sin % ni guion bajo.",
  internal_name:
    "El nombre es interno (como localhost o .local) y no existe en internet. Use un dominio público que llegue a su servidor.",
  not_public:
    "El nombre no es un dominio público registrado. Revise la terminación, por ejemplo .com o .com.co, y escriba el dominio completo.",
} as const;

/**
 * Control, format, private-use and unassigned characters, lone surrogates, every kind of space, characters that Unicode
 * ignores by default (soft hyphens, zero-width marks, variation selectors: hosts lose them silently), and the backslash,
 * which WHATWG reads as "/" and other parsers as part of the user info.
 */
const invisibleOrUnsafe = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\\]/u;

function refuse(reason: UrlRefusal): EndpointUrlCheck {
  return { ok: false, reason, message: refusalMessages[reason] };
}

function refusalOfHostname(hostname: string): UrlRefusal | null {
  // WHATWG has already turned every IPv4 notation (decimal, hex, octal, short, fullwidth) into dotted decimal.
  if (isIP(hostname) !== 0) return "ip_address";
  const labels = hostname.split(".");
  if (hostname.length > 253 || !labels.every((label) => hostLabel.test(label))) return "hostname";
  // Node decodes valid punycode and leaves an invalid label such as xn--a as it is; nobody can register those.
  if (/(^|\.)xn--/.test(domainToUnicode(hostname))) return "hostname";
  if (labels.length === 1 || internalSuffixes.has(labels.at(-1)!)) return "internal_name";
  const { isIcann, domain } = parseDomain(hostname, { allowPrivateDomains: false, extractHostname: false });
  return isIcann && domain !== null ? null : "not_public";
}

/** Letters, digits and inner hyphens: no certificate authority may certify any other name, underscores included. */
const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Special-use names (RFC 6761, 6762, 7686, 8375, 9476, ICANN's .internal) and those common in home and office networks.
 * The public suffix list treats onion and arpa as public; the others are listed for the better message.
 */
const internalNames =
  "alt arpa corp domain example home internal intranet invalid lan local localdomain localhost onion private svc test";
const internalSuffixes = new Set(internalNames.split(" "));
