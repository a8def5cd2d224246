import { gzipSync } from "node:zlib";

/** Files as `npm pack` would package them: installable without a registry, and the same bytes for the same files. */
export function npmPackage(files: ReadonlyMap<string, string | Buffer>): Buffer {
  const entries = [...files].map(([name, content]) => tarEntry(`package/${name}`, Buffer.from(content)));
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

const blockSize = 512;

/** One file of a tar archive (ustar). Reproducible: without owner or time. */
function tarEntry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(blockSize);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(content.length, 11), 124);
  header.write(octal(0, 11), 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${octal(checksum, 6)} `, 148);
  const padding = Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize);
  return Buffer.concat([header, content, padding]);
}
