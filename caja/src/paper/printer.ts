import type { Block } from "../../../register/paper.ts";
import type { PaperWidth } from "./esc-pos.ts";

/** A receipt printer that takes bytes. */
interface Printer {
  send(bytes: Uint8Array): Promise<void>;
}

export type PrinterKind = "usb" | "serial";

/** What of WebUSB and Web Serial is used here; not every browser has them. */
interface UsbDevice {
  configuration: { interfaces: UsbInterface[] } | null;
  open(): Promise<void>;
  selectConfiguration(value: number): Promise<void>;
  claimInterface(number: number): Promise<void>;
  transferOut(endpoint: number, data: Uint8Array): Promise<unknown>;
}
interface UsbInterface {
  interfaceNumber: number;
  alternate: { interfaceClass: number; endpoints: { direction: string; type: string; endpointNumber: number }[] };
}
interface SerialPort {
  open(options: { baudRate: number }): Promise<void>;
  writable: WritableStream<Uint8Array>;
}
interface Ports {
  usb?: { requestDevice(options: object): Promise<UsbDevice>; getDevices(): Promise<UsbDevice[]> };
  serial?: { requestPort(): Promise<SerialPort>; getPorts(): Promise<SerialPort[]> };
}

const ports = () => navigator as Navigator & Ports;
const printerClass = 7;
const baudRate = 9600;
/** Small printers lose what comes faster than their buffer empties. */
const chunkBytes = 4096;

let printer: Printer | undefined;
const settings = { width: "caja.paper-width", kind: "caja.printer" };

export function printerKinds(): PrinterKind[] {
  const { usb, serial } = ports();
  return [...(usb ? ["usb" as const] : []), ...(serial ? ["serial" as const] : [])];
}

export const hasPrinter = () => printer !== undefined;

export function paperWidth(): PaperWidth {
  return localStorage.getItem(settings.width) === "58" ? 58 : 80;
}

export function setPaperWidth(width: PaperWidth): void {
  localStorage.setItem(settings.width, String(width));
}

/** Asks the person which device; the browser remembers the answer. */
export async function connectPrinter(kind: PrinterKind): Promise<void> {
  const { usb, serial } = ports();
  if (kind === "usb") {
    const device = await usb!.requestDevice({ filters: [{ classCode: printerClass }] });
    printer = await openUsb(device);
  } else printer = await openSerial(await serial!.requestPort());
  localStorage.setItem(settings.kind, kind);
}

/** Opens the printer of last time without asking. */
export async function reconnectPrinter(): Promise<void> {
  const { usb, serial } = ports();
  const kind = localStorage.getItem(settings.kind);
  const device = kind === "usb" ? (await usb?.getDevices())?.[0] : undefined;
  const port = kind === "serial" ? (await serial?.getPorts())?.[0] : undefined;
  if (device) printer = await openUsb(device);
  else if (port) printer = await openSerial(port);
}

async function openUsb(device: UsbDevice): Promise<Printer> {
  await device.open();
  if (device.configuration === null) await device.selectConfiguration(1);
  const found = device.configuration!.interfaces.find(({ alternate }) => alternate.interfaceClass === printerClass);
  const endpoint = found?.alternate.endpoints.find(({ direction, type }) => direction === "out" && type === "bulk");
  if (!found || !endpoint) throw new Error("the device takes no print data");
  await device.claimInterface(found.interfaceNumber);
  return {
    async send(bytes) {
      for (let at = 0; at < bytes.length; at += chunkBytes)
        await device.transferOut(endpoint.endpointNumber, bytes.slice(at, at + chunkBytes));
    },
  };
}

async function openSerial(port: SerialPort): Promise<Printer> {
  await port.open({ baudRate });
  return {
    async send(bytes) {
      const writer = port.writable.getWriter();
      try {
        await writer.write(bytes);
      } finally {
        writer.releaseLock();
      }
    },
  };
}

/** By the receipt printer if one is connected, and by the browser otherwise or if the printer does not answer. */
export async function printPaper(blocks: readonly Block[]): Promise<void> {
  if (!printer) return print();
  try {
    const { encodePaper } = await import("./esc-pos.ts");
    await printer.send(encodePaper(blocks, paperWidth()));
  } catch {
    printer = undefined;
    print();
  }
}

export async function openDrawer(): Promise<void> {
  if (!printer) return;
  const { encodeDrawer } = await import("./esc-pos.ts");
  await printer.send(encodeDrawer());
}
