import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { verifySignature } from "../webhooks/endpoints/signature.ts";
import { headerNames } from "../webhooks/sending/delivery-headers.ts";
import { type Certificate, selfSigned } from "../webhooks/sending/self-signed.ts";
import { type Command, type Output, UsageError } from "./command.ts";

const defaultHost = "hooks.example.com";
const maxBodyBytes = 1024 * 1024;

export const receiveCommand: Command = {
  name: "receive",
  summary: "Recibe webhooks en esta máquina y muestra cada entrega verificada, solo en pruebas",
  usage: "[--port 8443] [--host hooks.example.com] [--secret whsec_…]",
  options: {
    port: "Puerto en que escucha (por omisión, 8443)",
    host: `Nombre para el que hace su certificado (por omisión, ${defaultHost})`,
    secret: "Secreto del endpoint; sin él muestra las entregas sin verificar su firma",
  },
  async run({ config, options, out }) {
    if (config.environment === "live") throw new UsageError("receive es solo para el ambiente de pruebas.");
    const port = Number(options.port ?? 8443);
    if (!Number.isInteger(port) || port < 0 || port > 65535)
      throw new UsageError(`--port ${options.port} no es un puerto.`);
    const host = String(options.host ?? defaultHost);
    const secret = options.secret === undefined ? undefined : String(options.secret);
    const { certificate, caFile } = await storedCertificate(config.dataDir, host);
    const server = createServer(certificate, (request, response) => {
      readBody(request).then(
        (body) => {
          // Printed after the response is sent, so that stopping the command after reading a line does not interrupt it.
          response.writeHead(200).end(() => show(out, request, body, secret));
        },
        () => response.writeHead(413).end(),
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        reject(
          new UsageError(
            error.code === "EADDRINUSE" ? `El puerto ${port} ya está en uso. Elija otro con --port.` : error.message,
          ),
        ),
      );
      server.listen(port, "127.0.0.1", resolve);
    });
    const address = server.address() as { port: number };
    const settings = { WEBHOOK_RESOLVE: `${host}=127.0.0.1:${address.port}`, WEBHOOK_CA_FILE: caFile };
    out.result(
      { url: `https://${host}/`, ...settings },
      [
        `Recibiendo en https://${host}/ (127.0.0.1:${address.port}). Encienda el servicio con estos ajustes:`,
        ...Object.entries(settings).map(([name, value]) => `  ${name}=${value}`),
        `y agregue en el portal el endpoint https://${host}/. Ctrl+C lo detiene.`,
      ].join("\n"),
    );
  },
};

/** Created once and kept in DATA_DIR, so that the service still trusts it after a restart. */
async function storedCertificate(dataDir: string, host: string): Promise<{ certificate: Certificate; caFile: string }> {
  const folder = join(dataDir, "receive");
  const caFile = join(folder, `${host}.pem`);
  const keyFile = join(folder, `${host}.key`);
  await mkdir(folder, { recursive: true });
  if (!existsSync(caFile) || !existsSync(keyFile)) {
    const made = await selfSigned([host], 3650);
    await writeFile(keyFile, made.key, { mode: 0o600 });
    await writeFile(caFile, made.cert);
  }
  return { certificate: { cert: await readFile(caFile, "utf8"), key: await readFile(keyFile, "utf8") }, caFile };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function show(out: Output, request: IncomingMessage, body: Buffer, secret: string | undefined): void {
  const signature = header(request, headerNames.signature) ?? undefined;
  const verified = secret === undefined ? null : verifySignature(body, signature, secret, Date.now() / 1000);
  const event = parse(body);
  const delivery = {
    verified,
    delivery_id: header(request, headerNames.deliveryId),
    event_id: header(request, headerNames.eventId),
    type: header(request, headerNames.eventType),
    event,
  };
  const mark = verified === null ? "sin verificar" : verified ? "firma válida" : "FIRMA NO VÁLIDA";
  out.result(
    delivery,
    `${delivery.type} · ${mark} · entrega ${delivery.delivery_id}\n${JSON.stringify(event, null, 2)}`,
  );
}

function header({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === "string" ? value : null;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
