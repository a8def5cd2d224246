/** A receipt printer of our own making: reads ESC/POS bytes back into what would be on the paper. */
export interface Printed {
  lines: string[];
  /** The contents of QR codes. */
  codes: string[];
  cuts: number;
  drawerKicks: number;
}

/** The code pages that Spanish text needs, as the printer numbers them. */
const decoders: Record<number, string> = { 0: "ibm437", 2: "ibm850", 16: "windows-1252", 19: "ibm858" };
const upper: Record<string, string> = {
  ibm437: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»",
  ibm850: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»",
  ibm858: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»",
};

export function readEscPos(bytes: Uint8Array): Printed {
  const printed: Printed = { lines: [], codes: [], cuts: 0, drawerKicks: 0 };
  let line = "";
  let page = 0;
  let at = 0;
  const next = () => bytes[at++] ?? 0;
  const character = (byte: number) => {
    if (byte < 0x80) return String.fromCharCode(byte);
    const name = decoders[page];
    if (name === "windows-1252") return new TextDecoder("windows-1252").decode(Uint8Array.of(byte));
    return upper[name ?? "ibm437"]?.[byte - 0x80] ?? "?";
  };
  const readEscape = () => {
    const command = String.fromCharCode(next());
    if (command === "@") return;
    if (command === "t") page = next();
    else if (command === "p") {
      printed.drawerKicks += 1;
      at += 3;
    } else if (command === "2") return;
    else at += 1;
  };
  const group = () => {
    const command = String.fromCharCode(next());
    if (command === "V") {
      printed.cuts += 1;
      const kind = next();
      if (kind >= 65) at += 1;
    } else if (command === "(") {
      at += 1;
      const length = next() + next() * 256;
      const content = bytes.slice(at, at + length);
      at += length;
      // Function 80 of symbol 49 stores the data of a QR code.
      if (content[0] === 49 && content[1] === 80) printed.codes.push(new TextDecoder().decode(content.slice(3)));
    } else at += 1;
  };
  while (at < bytes.length) {
    const byte = next();
    if (byte === 0x1b) readEscape();
    else if (byte === 0x1d) group();
    else if (byte === 0x1c) at += 1;
    else if (byte === 0x0a) {
      printed.lines.push(line);
      line = "";
    } else if (byte >= 0x20) line += character(byte);
  }
  return printed;
}
