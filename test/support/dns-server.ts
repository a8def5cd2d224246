import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { isIPv4 } from "node:net";

export interface DnsServer extends AsyncDisposable {
  /** In the format of `setServers`. */
  address: string;
  /** The addresses of each name, which tests may change. Unknown names do not exist; null never answers. */
  records: Map<string, string[] | null>;
  /** Every query, as "A name" or "AAAA name". */
  questions: string[];
}

/** A real DNS server on a UDP port, for A and AAAA. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const server: DnsServer = {
    address: "",
    records: new Map(),
    questions: [],
    async [Symbol.asyncDispose]() {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
  socket.on("message", (query, from) => {
    const { name, type, end } = readQuestion(query);
    server.questions.push(`${type === 1 ? "A" : "AAAA"} ${name}`);
    const addresses = server.records.get(name);
    if (addresses === null) return;
    const own = (addresses ?? []).filter((address) => isIPv4(address) === (type === 1));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(addresses === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(own.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...own.map((one) => answer(type, one))]),
      from.port,
      from.address,
    );
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  server.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`;
  return server;
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!));
    at += query[at]! + 1;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record that points back to the query's name, with a TTL of 0 s. */
function answer(type: number, address: string): Buffer {
  const data = type === 1 ? Buffer.from(address.split(".").map(Number)) : v6Bytes(address);
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function v6Bytes(address: string): Buffer {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted
    ? address.replace(
        dotted[0],
        [
          [1, 2],
          [3, 4],
        ]
          .map(([a, b]) => ((Number(dotted[a!]) << 8) | Number(dotted[b!])).toString(16))
          .join(":"),
      )
    : address;
  const [head = "", tail] = text.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const middle = tail === undefined ? [] : Array(8 - groups(head).length - groups(tail).length).fill("0");
  const all = [...groups(head), ...middle, ...(tail === undefined ? [] : groups(tail))];
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}
