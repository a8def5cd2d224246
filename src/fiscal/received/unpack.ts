import { inflateRawSync } from "node:zlib";

/** What a supplier's invoice comes in: far more than any has. */
export const maxUploadBytes = 2 * 1024 * 1024;
const maxXmlBytes = 8 * 1024 * 1024;
const maxEntries = 50;

/** Why a file is no invoice, in the words that its owner reads. */
export class Unreadable extends Error {}

/** The XML of an upload: itself, or the one in its zip. */
export function xmlOf(bytes: Buffer): string {
  if (bytes.length === 0)
    throw new Unreadable("El archivo está vacío. Suba el XML de la factura, o el zip que llegó al correo.");
  if (bytes.length > maxUploadBytes)
    throw new Unreadable("El archivo pesa más de 2 MB. Suba solo el XML de la factura, o el zip en que llegó.");
  return bytes.subarray(0, 2).toString("latin1") === "PK" ? xmlInZip(bytes) : textOf(bytes);
}

function textOf(bytes: Buffer): string {
  if (bytes.includes(0)) throw new Unreadable("No es un XML. Suba el XML de la factura, o el zip que llegó al correo.");
  return bytes.toString("utf8");
}

interface Entry {
  name: string;
  method: number;
  packedBytes: number;
  offset: number;
  isSealed: boolean;
}

function xmlInZip(zip: Buffer): string {
  const found = entriesOf(zip).filter(({ name }) => /\.xml$/i.test(name));
  const [first] = found;
  if (!first) throw new Unreadable("El zip no trae ningún XML. Suba el que llegó al correo con la factura.");
  const texts = found.map((entry) => textOf(contentOf(zip, entry)));
  // Some senders put the authority's answer beside the document.
  return texts.find((text) => /<(?:[\w.-]+:)?(?:AttachedDocument|Invoice)[\s>]/.test(text)) ?? texts[0] ?? "";
}

const broken = () => new Unreadable("El zip está dañado. Descárguelo otra vez del correo y súbalo de nuevo.");

/** By the directory at its end, which alone says what an archive holds. */
function entriesOf(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > zip.length) throw broken();
  const count = zip.readUInt16LE(end + 10);
  if (count > maxEntries) throw new Unreadable("El zip trae demasiados archivos. Suba el de una sola factura.");
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== 0x02014b50) throw broken();
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as [
      ...[number, number, number],
    ];
    entries.push({
      name: zip.toString("utf8", at + 46, at + 46 + nameLength),
      method: zip.readUInt16LE(at + 10),
      packedBytes: zip.readUInt32LE(at + 20),
      offset: zip.readUInt32LE(at + 42),
      isSealed: (zip.readUInt16LE(at + 8) & 1) === 1,
    });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

function contentOf(zip: Buffer, { method, packedBytes, offset, isSealed }: Entry): Buffer {
  if (isSealed) throw new Unreadable("El zip tiene contraseña. Ábralo y suba el XML que trae.");
  if (offset + 30 > zip.length || zip.readUInt32LE(offset) !== 0x04034b50) throw broken();
  const from = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  if (from + packedBytes > zip.length) throw broken();
  const packed = zip.subarray(from, from + packedBytes);
  if (method === 0) return packed;
  if (method !== 8) throw broken();
  try {
    // A bomb is not unpacked beyond this, whatever its directory says.
    return inflateRawSync(packed, { maxOutputLength: maxXmlBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw new Unreadable("Lo que trae el zip es demasiado grande para ser una factura.");
    throw broken();
  }
}
