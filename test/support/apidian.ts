import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { refusals, rejections } from "./apidian-contract.ts";
import { softwarePin, technicalKey } from "./fiscal.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a provider receives is read as data
type Json = any;

/** A document as the provider received it, with the code that the provider computes from its fields. */
export interface Received {
  path: string;
  token: string | undefined;
  body: Json;
  number: string;
  cufe: string;
}

export type Reply = { status?: number; body?: unknown; raw?: string } | "hang" | "cut";

/**
 * A local server that answers as APIDIAN does. By default it refuses a request with a missing or wrong field, has the
 * authority reject wrong sums, accepts each number once, and finds each document.
 */
export interface ApidianServer extends AsyncDisposable {
  url: string;
  sends: Received[];
  queries: { path: string; body: Json }[];
  /** The authority's documents, by code. */
  accepted: Map<string, Received>;
  onSend: (received: Received) => Reply | Promise<Reply>;
  onQuery: (key: string) => Reply | Promise<Reply>;
}

export async function startApidian(port = 0): Promise<ApidianServer> {
  const open = new Set<ServerResponse>();
  const http = createServer((request, response) => {
    open.add(response);
    void handle(request, response).finally(() => open.delete(response));
  });
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const server: ApidianServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/api/ubl2.1`,
    sends: [],
    queries: [],
    accepted: new Map(),
    onSend: (received) => acceptOnce(server, received),
    onQuery: (key) => (server.accepted.has(key) ? found(key) : statusReply(notThere)),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await textOf(request));
    const path = request.url!.replace("/api/ubl2.1", "");
    let reply: Reply;
    if (path.startsWith("/status/")) {
      server.queries.push({ path, body });
      reply = await server.onQuery(path.split("/").at(-1)!);
    } else {
      const token = request.headers.authorization?.replace("Bearer ", "");
      const received = { path, token, body, number: `${body.prefix}${body.number}`, cufe: codeOf(body) };
      server.sends.push(received);
      reply = await server.onSend(received);
    }
    if (reply === "hang") return new Promise((resolve) => response.on("close", resolve));
    if (reply === "cut") return void response.destroy();
    response.writeHead(reply.status ?? 200, { "content-type": "application/json" });
    response.end(reply.raw ?? JSON.stringify(reply.body));
  }
  return server;
}

export const invalid = {
  IsValid: "false",
  StatusCode: "99",
  StatusMessage: "Validación contiene errores en campos mandatorios.",
};
/** The provider's own word for a number that it has sent before, without asking the authority. */
export const sentBefore: Reply = {
  body: { success: false, message: "Este documento ya fue enviado anteriormente, se registra en la base de datos." },
};
export const rule90 = "Regla: 90, Rechazo: Documento procesado anteriormente.";
const nil = { _attributes: { nil: "true" } };
const notThere = { StatusCode: "66", StatusDescription: "TrackId no existe en los registros de la DIAN." };

/** The first valid document to arrive keeps the number; a rejected one does not. */
export function acceptOnce(server: ApidianServer, received: Received): Reply {
  const errors = refusals(received.body);
  if (Object.keys(errors).length > 0) return { status: 422, body: { message: "The given data was invalid.", errors } };
  const rules = rejections(received.body);
  if (rules.length > 0) return sendReply({ ...invalid, ErrorMessage: { string: rules } });
  const isTaken = [...server.accepted.values()].some(({ number }) => number === received.number);
  if (isTaken) return sendReply({ IsValid: "false", StatusCode: "99", ErrorMessage: { string: rule90 } });
  server.accepted.set(received.cufe, received);
  return sendReply({
    IsValid: "true",
    StatusCode: "00",
    StatusDescription: "Procesado Correctamente.",
    StatusMessage: `La Factura electrónica ${received.number}, ha sido autorizada.`,
    XmlDocumentKey: received.cufe,
  });
}

export function found(key: string): Reply {
  return statusReply({
    IsValid: "true",
    StatusCode: "00",
    StatusDescription: "Procesado Correctamente.",
    XmlDocumentKey: key,
  });
}

/** The response to a document: the authority's XML as the provider converts it to JSON. */
export function sendReply(result: object): Reply {
  return { body: { message: "Documento generado con éxito", ...envelope("SendBillSync", verdict(result)) } };
}

export function statusReply(result: object): Reply {
  return { body: { message: "Consulta generada con éxito", ...envelope("GetStatus", verdict(result)) } };
}

/** The other shape: a list of responses inside the status of a ZipKey. */
export function zipStatusReply(result: object): Reply {
  return {
    body: { message: "Consulta generada con éxito", ...envelope("GetStatusZip", { DianResponse: verdict(result) }) },
  };
}

export function testSetReply(zipKey: string): Reply {
  return { body: { message: "OK", ...envelope("SendTestSetAsync", { ErrorMessageList: nil, ZipKey: zipKey }) } };
}

function envelope(call: string, result: object): object {
  const body = { [`${call}Response`]: { [`${call}Result`]: result } };
  return { ResponseDian: { Envelope: { Header: { Action: nil }, Body: body } } };
}

function verdict(result: object): object {
  return { ErrorMessage: {}, IsValid: "false", StatusCode: nil, StatusDescription: nil, StatusMessage: nil, ...result };
}

/** The CUFE or CUDE of a request, computed from the annex and not with the code under test. */
function codeOf(body: Json): string {
  const amount = (id: number) =>
    `${body.tax_totals.filter((tax: Json) => tax.tax_id === id).reduce((all: number, tax: Json) => all + Number(tax.tax_amount), 0)}.00`;
  const { line_extension_amount, payable_amount } = body.legal_monetary_totals;
  const key = body.type_document_id === 1 ? technicalKey : softwarePin;
  const text = `${body.prefix}${body.number}${body.date}${body.time}-05:00${line_extension_amount}01${amount(1)}04${amount(4)}03${amount(3)}${payable_amount}900373923${body.customer.identification_number}${key}2`;
  return createHash("sha384").update(text).digest("hex");
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
