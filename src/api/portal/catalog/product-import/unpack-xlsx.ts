import { inflateRawSync } from "node:zlib";
import { SheetError } from "./sheet.ts";

/** Unpacked, the largest file that is accepted takes some megabytes. */
const maxUnpackedBytes = 24 * 1024 * 1024;
const maxEntries = 1_000;

/** A file inside the archive. */
export interface Part {
  name: string;
  bytes: Buffer;
}

/** The XML files of an Excel file, unpacked. What they unpack to is added up before anything is. */
export function unpackXlsx(archive: Buffer): Part[] {
  const entries = readDirectory(archive);
  if (entries.reduce((sum, { size }) => sum + size, 0) > maxUnpackedBytes) throw tooLarge();
  return entries
    .filter(({ name }) => name.endsWith(".xml") || name.endsWith(".xml.rels"))
    .map((entry) => ({ name: entry.name, bytes: unpack(archive, entry) }));
}

interface Entry {
  name: string;
  isDeflated: boolean;
  packedSize: number;
  /** As the archive says; no more than that is unpacked. */
  size: number;
  start: number;
}

function readDirectory(archive: Buffer): Entry[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end === -1 || end + 22 > archive.length) throw damaged();
  const count = archive.readUInt16LE(end + 8);
  let at = archive.readUInt32LE(end + 16);
  if (count > maxEntries || at === 0xffffffff) throw tooLarge();
  return Array.from({ length: count }, () => {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== 0x02014b50) throw damaged();
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const entry: Entry = {
      name: archive.toString("utf8", at + 46, at + 46 + nameLength!),
      isDeflated: archive.readUInt16LE(at + 10) !== 0,
      packedSize: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      start: archive.readUInt32LE(at + 42),
    };
    at += 46 + nameLength! + extraLength! + commentLength!;
    return entry;
  });
}

function unpack(archive: Buffer, { isDeflated, packedSize, size, start }: Entry): Buffer {
  if (start + 30 > archive.length) throw damaged();
  const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
  const packed = archive.subarray(from, from + packedSize);
  if (!isDeflated) return packed.subarray(0, size);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (cause) {
    throw damaged(cause);
  }
}

/** The same files in an archive that is not compressed: the library would start a thread of its own to unpack each. */
export function packPlain(parts: readonly Part[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of parts) {
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    bodies.push(Buffer.from("PK\u0003\u0004", "latin1"), common, path, bytes);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), common, place, path);
    offset += 30 + path.length + bytes.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, ...directory, Buffer.from("PK\u0005\u0006", "latin1"), end]);
}

export const damaged = (cause?: unknown) =>
  new SheetError("El archivo de Excel está incompleto o dañado. Ábralo, guárdelo otra vez como .xlsx y súbalo.", {
    cause,
  });
export const tooLarge = () =>
  new SheetError(
    "El archivo de Excel es demasiado grande por dentro. Deje una sola hoja, solo con los productos, y sin imágenes.",
  );
