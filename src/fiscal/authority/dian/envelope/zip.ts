import { crc32, deflateRawSync } from "node:zlib";

const utf8Names = 0x0800;
const deflated = 8;
/** 1 January 1980, the first day that the format knows: the same content gives the same bytes. */
const noDate = 0x0021;

/** A zip archive of one file: the only content that the authority takes in a synchronous sending. */
export function zipOf(name: string, content: string): Buffer {
  const bytes = Buffer.from(content, "utf8");
  const packed = deflateRawSync(bytes);
  const file = Buffer.from(name, "utf8");
  // What both headers say of the file, from the version needed to the length of its name.
  const about = Buffer.alloc(26);
  [20, utf8Names, deflated, 0, noDate].forEach((value, i) => void about.writeUInt16LE(value, i * 2));
  [crc32(bytes), packed.length, bytes.length].forEach((value, i) => void about.writeUInt32LE(value, 10 + i * 4));
  about.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), about, file, packed]);
  const entry = Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), about, Buffer.alloc(14), file]);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  [1, 1].forEach((value, i) => void end.writeUInt16LE(value, 8 + i * 2));
  [entry.length, local.length].forEach((value, i) => void end.writeUInt32LE(value, 12 + i * 4));
  return Buffer.concat([local, entry, end]);
}
