import { must } from "../../../../lib/must.ts";

/** One value of DER: its tag, its content, and all of it. */
interface Der {
  tag: number;
  content: Buffer;
  whole: Buffer;
}

const context0 = 0xa0;

/** Who issued a certificate and under which number, as a signature names it. */
export function issuerAndSerial(certificate: Buffer): { issuer: string; serial: string } {
  const [tbs] = children(one(certificate));
  const parts = children(must(tbs, "A certificate holds what is signed"));
  const [serial, , issuer] = parts[0]?.tag === context0 ? parts.slice(1) : parts;
  return {
    issuer: nameText(must(issuer, "A certificate names its issuer")),
    serial: BigInt(`0x${must(serial, "A certificate has a number").content.toString("hex")}`).toString(),
  };
}

/** RFC 2253: the last part first. */
function nameText(name: Der): string {
  return children(name)
    .toReversed()
    .map((set) => children(set).map(attributeText).join("+"))
    .join(",");
}

/** The only types with a short name; any other is written as its number and the hexadecimal of its value. */
const shortNames: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "STREET",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
};

function attributeText(attribute: Der): string {
  const [type, value] = children(attribute);
  const oid = objectIdentifier(must(type, "A part of a name has a type").content);
  const { whole } = must(value, "A part of a name has a value");
  const short = shortNames[oid];
  const text = short === undefined ? undefined : stringValue(value!);
  return text === undefined ? `${oid}=#${whole.toString("hex")}` : `${short}=${escaped(text)}`;
}

function stringValue({ tag, content }: Der): string | undefined {
  switch (tag) {
    case 0x0c:
      return content.toString("utf8");
    // PrintableString, T61String (read as Latin-1, as everybody does), IA5String.
    case 0x13:
    case 0x14:
    case 0x16:
      return content.toString("latin1");
    case 0x1e:
      return Buffer.from(content).swap16().toString("utf16le");
    default:
      return undefined;
  }
}

function escaped(text: string): string {
  return text.replace(/[,+"\\<>;]|^[ #]| $/g, "\\$&");
}

function objectIdentifier(content: Buffer): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (numbers.length === 0) {
      const top = Math.min(2, Math.floor(value / 40));
      numbers.push(top, value - top * 40);
    } else numbers.push(value);
    value = 0;
  }
  return numbers.join(".");
}

function one(bytes: Buffer): Der {
  const tag = byteAt(bytes, 0);
  let length = byteAt(bytes, 1);
  let start = 2;
  if (length >= 0x80) {
    const size = length & 0x7f;
    if (size < 1 || size > 4) throw new RangeError("a length of DER is not readable");
    length = 0;
    for (let i = 0; i < size; i++) length = length * 256 + byteAt(bytes, start + i);
    start += size;
  }
  if (start + length > bytes.length) throw new RangeError("a value of DER is cut off");
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(0, start + length) };
}

function children({ tag, content }: Der): Der[] {
  if ((tag & 0x20) !== 0x20) throw new RangeError("a value of DER with parts was expected");
  const found: Der[] = [];
  for (let rest = content; rest.length > 0; ) {
    const next = one(rest);
    found.push(next);
    rest = rest.subarray(next.whole.length);
  }
  return found;
}

function byteAt(bytes: Buffer, at: number): number {
  return must(bytes[at], "DER is not cut off");
}
