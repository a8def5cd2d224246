import { acceptedKeys, currentKey, hmac, isMacOfAny, type SecretKeys } from "./secret-keys.ts";

/** Where a page ended: the last record's sort key and, for lists that need it, the instant of the first page. */
export interface Position {
  createdAt: Date;
  id: string;
  asOf?: Date | undefined;
  /** For lists whose records have no id of their own: the second half of their key. */
  within?: string | undefined;
}

/** What a cursor is valid for; any other use is an error. */
export interface CursorScope {
  key: SecretKeys;
  route: string;
  accountId: string;
  filters: string;
}

const macBytes = 16;

/** Opaque to clients: time, id and instant in binary, and a MAC that ties them to route, account and filters. */
export function encodeCursor(position: Position, scope: CursorScope): string {
  const content = Buffer.alloc(position.within ? 38 : position.asOf ? 28 : 22);
  content.writeUIntBE(position.createdAt.getTime(), 0, 6);
  content.write(position.id.replaceAll("-", ""), 6, "hex");
  if (position.within) content.write(position.within.replaceAll("-", ""), 22, "hex");
  else if (position.asOf) content.writeUIntBE(position.asOf.getTime(), 22, 6);
  return Buffer.concat([content, macOf(content, scope, currentKey(scope.key))]).toString("base64url");
}

export function decodeCursor(text: string, scope: CursorScope): Position | undefined {
  const bytes = Buffer.from(text, "base64url");
  // Node decodes leniently, so different texts could give the same bytes: only the exact text is accepted.
  if (bytes.toString("base64url") !== text || !lengths.includes(bytes.length - macBytes)) {
    return undefined;
  }
  const content = bytes.subarray(0, -macBytes);
  if (!isMacOfAny(bytes.subarray(-macBytes), acceptedKeys(scope.key), (key) => macOf(content, scope, key)))
    return undefined;
  return {
    createdAt: new Date(content.readUIntBE(0, 6)),
    id: uuidOf(content.subarray(6, 22)),
    asOf: content.length === 28 ? new Date(content.readUIntBE(22, 6)) : undefined,
    within: content.length === 38 ? uuidOf(content.subarray(22, 38)) : undefined,
  };
}

const lengths = [22, 28, 38];

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function macOf(content: Buffer, { route, accountId, filters }: CursorScope, key: string): Buffer {
  return hmac(key, `cursor\n${route}\n${accountId}\n${filters}\n`, content).subarray(0, macBytes);
}
