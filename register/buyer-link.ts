import type { BusinessInfo } from "./business.ts";

const macBytes = 16;

/** The address at which the buyer sees his document, as the service would write it: a ticket has it before the sale has gone up. */
export async function buyerLink(
  { document_links: links }: Pick<BusinessInfo, "document_links">,
  saleId: string,
): Promise<string | undefined> {
  if (!links) return undefined;
  const [account, sale] = [bytesOf(links.account_id), bytesOf(saleId)];
  const key = await crypto.subtle.importKey("raw", fromBase64Url(links.key), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, sale)).subarray(0, macBytes);
  return links.url + base64Url([...account, ...sale, ...mac]);
}

function bytesOf(id: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(id.replaceAll("-", "").match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function base64Url(bytes: readonly number[]): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
