import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive: its content, or bytes that are deflated already with the size that the archive claims. */
type Entry = Buffer | { deflated: Buffer; bytes: number };

/** A ZIP archive with just what a reader looks at. */
export function zipOf(files: Record<string, Entry>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, entry] of Object.entries(files)) {
    const deflated = Buffer.isBuffer(entry) ? deflateRawSync(entry) : entry.deflated;
    const bytes = Buffer.isBuffer(entry) ? entry.length : entry.bytes;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(Buffer.isBuffer(entry) ? crc32(entry) : 0, 10);
    common.writeUInt32LE(deflated.length, 14);
    common.writeUInt32LE(bytes, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), common, Buffer.from(name), deflated]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), common, rest, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from("PK\u0005\u0006", "latin1"), end]);
}
