import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

/** One file of an archive. */
export interface ZipEntry {
  name: string;
  parts: Iterable<string> | AsyncIterable<string>;
}

interface Written {
  name: Buffer;
  crc: number;
  packedBytes: number;
  plainBytes: number;
  offset: number;
}

/** Sizes follow each file (bit 3), because they are not known before; names are UTF-8 (bit 11). */
const flags = 0x0808;
const deflateMethod = 8;
const version = 20;
/** 1 January 1980, the first day the format knows: equal tables give equal files. */
const dosDate = 0x0021;

/** An archive of files written one after the other, without holding any of them in memory. */
export async function* zipOf(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for (const { name, parts } of entries) {
    const file: Written = { name: Buffer.from(name), crc: 0, packedBytes: 0, plainBytes: 0, offset };
    const header = Buffer.concat([
      record(0x04034b50, [flags, deflateMethod, 0, dosDate], version),
      sizes(),
      lengths(file),
    ]);
    yield header;
    for await (const chunk of packed(parts, file)) yield chunk;
    const descriptor = Buffer.alloc(16);
    descriptor.writeUInt32LE(0x08074b50, 0);
    sizes(file).copy(descriptor, 4);
    yield descriptor;
    offset += header.length + file.packedBytes + descriptor.length;
    written.push(file);
  }
  yield directory(written, offset);
}

async function* packed(parts: ZipEntry["parts"], file: Written): AsyncGenerator<Buffer> {
  async function* measured() {
    for await (const part of parts) {
      const bytes = Buffer.from(part);
      file.crc = crc32(bytes, file.crc);
      file.plainBytes += bytes.length;
      yield bytes;
    }
  }
  // Level 1: a higher level takes several times as long for a file that is a fifth smaller.
  const deflated = pipeline(Readable.from(measured()), createDeflateRaw({ level: 1 }), () => {});
  for await (const chunk of deflated as AsyncIterable<Buffer>) {
    file.packedBytes += chunk.length;
    yield chunk;
  }
}

/** The list of files at the end of the archive, where readers begin. */
function directory(files: readonly Written[], offset: number): Buffer {
  const entries = files.map((file) => {
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(file.offset, 10);
    const name = lengths(file);
    const fixed = record(0x02014b50, [version, flags, deflateMethod, 0, dosDate], version);
    return Buffer.concat([fixed, sizes(file), name.subarray(0, 4), tail, file.name]);
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(
    entries.reduce((bytes, entry) => bytes + entry.length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...entries, end]);
}

/** A signature and 16-bit fields. */
function record(signature: number, fields: readonly number[], first: number): Buffer {
  const bytes = Buffer.alloc(4 + 2 * (fields.length + 1));
  bytes.writeUInt32LE(signature, 0);
  for (const [i, field] of [first, ...fields].entries()) bytes.writeUInt16LE(field, 4 + 2 * i);
  return bytes;
}

function sizes({ crc, packedBytes, plainBytes } = { crc: 0, packedBytes: 0, plainBytes: 0 }): Buffer {
  const bytes = Buffer.alloc(12);
  for (const [i, size] of [crc, packedBytes, plainBytes].entries()) bytes.writeUInt32LE(size, 4 * i);
  return bytes;
}

/** The lengths of name and extra field, followed by the name. */
function lengths({ name }: Pick<Written, "name">): Buffer {
  const bytes = Buffer.alloc(4 + name.length);
  bytes.writeUInt16LE(name.length, 0);
  name.copy(bytes, 4);
  return bytes;
}
