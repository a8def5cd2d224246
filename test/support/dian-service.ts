import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { inflateRawSync } from "node:zlib";
import { Agent } from "undici";
import { selfSigned } from "../../src/webhooks/sending/self-signed.ts";
import { type Registered, rulesBrokenBy } from "./dian-rules.ts";
import { securityProblems } from "./verify-soap.ts";
import { at, childrenOf, elementsIn, readXml, textOf, type XmlElement } from "./xml-tree.ts";

/** What the next sending meets; without one, the authority judges. */
export type Turn =
  | "notify"
  | "reject"
  /** Received, and no verdict yet. */
  | "processing"
  | "fault"
  | "away"
  /** The connection breaks before, or after it was processed. */
  | "cut before"
  | "cut after"
  /** Processed, and no answer comes. */
  | "silent after";

export interface DianService extends AsyncDisposable {
  endpoint: string;
  /** Connections that trust it. */
  dispatcher: Agent;
  turns: Turn[];
  /** What the test set says to whoever asks for a document of it: its own state. */
  closedTestSet: boolean;
  /** The operations asked for, in order. */
  asked: string[];
  /** By code: the verdict, undefined while there is none. */
  known: Map<string, Verdict>;
  files: { name: string; xml: string }[];
}

interface Verdict {
  number: string;
  rules: string[];
  isDecided: boolean;
}

const none: Verdict = { number: "", rules: [], isDecided: false };

/** The authority's service, for tests: over HTTPS, in SOAP 1.2, as strict as what is known of the real one. */
export async function startDian(registered: Registered, now: () => Date): Promise<DianService> {
  const { key, cert } = await selfSigned(["localhost"]);
  const server = createServer({ key, cert });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const dispatcher = new Agent({ connect: { ca: cert } });
  const service: DianService = {
    ...{ endpoint: `https://localhost:${port}/WcfDianCustomerServices.svc`, dispatcher, turns: [] },
    ...{ closedTestSet: false, asked: [], known: new Map(), files: [] },
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void readBody(request).then((body) => serve(service, registered, now(), { body, request, response }));
  });
  return service;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

interface Exchange {
  body: string;
  request: IncomingMessage;
  response: ServerResponse;
}

function serve(service: DianService, registered: Registered, now: Date, { body, request, response }: Exchange): void {
  const answer = (status: number, text: string) => {
    response.writeHead(status, { "content-type": "application/soap+xml; charset=utf-8" }).end(text);
  };
  const envelope = readXml(body);
  const asked = childrenOf(elementsIn(envelope).find(({ local }) => local === "Body")!)[0]!;
  const operation = asked.local;
  service.asked.push(operation);
  const problems = securityProblems(envelope, service.endpoint, now);
  const action = `http://wcf.dian.colombia/IWcfDianCustomerServices/${operation}`;
  if (request.headers["content-type"] !== `application/soap+xml;charset=UTF-8;action="${action}"`)
    problems.push("content type");
  if (textOf(elementsIn(envelope).find(({ local }) => local === "Action")!) !== action) problems.push("action");
  if (problems.length > 0) answer(500, fault("s:Sender", problems.join(", ")));
  else if (!operation.startsWith("Send")) answer(200, respond(service, operation, asked));
  else take(service.turns.shift());

  function take(turn: Turn | undefined): void {
    if (turn === "fault") answer(500, fault("s:Client"));
    else if (turn === "away") response.writeHead(503).end("Service Unavailable");
    else if (turn === "cut before") request.socket.destroy();
    else {
      const text = receive(service, registered, asked, turn);
      if (turn === "cut after") request.socket.destroy();
      else if (turn !== "silent after") answer(200, text);
    }
  }
}

function receive(service: DianService, registered: Registered, asked: XmlElement, turn: Turn | undefined): string {
  const operation = asked.local;
  const file = onlyFile(Buffer.from(at(asked, "contentFile")!, "base64"));
  if (
    !/^z\d{15}[0-9A-F]{8}\.zip$/.test(at(asked, "fileName")!) ||
    !/^(fv|nc|nd|ds|ncs)\d{15}[0-9A-F]{8}\.xml$/.test(file.name)
  )
    return verdict(operation, "", { ...none, rules: ["Regla: ZA01, Rechazo: Nombre del archivo"], isDecided: true });
  service.files.push(file);
  const broken = rulesBrokenBy(file.xml, registered);
  const root = broken.some((rule) => rule.includes("ZE02")) ? undefined : readXml(file.xml);
  const code = (root && at(root, "UUID")) ?? "";
  const number = (root && at(root, "ID")) ?? "";
  const same = [...service.known.values()].find((one) => one.number === number && !isRejected(one));
  const ninety = "Regla: 90, Rechazo: Documento procesado anteriormente.";
  if (same) return verdict(operation, code, { number, rules: [ninety], isDecided: true });
  const rules = [...broken];
  if (turn === "notify") rules.push("Regla: FAJ44b, Notificación: Responsabilidad informada no válida");
  if (turn === "reject") rules.push("Regla: FAK24, Rechazo: DV del NIT del adquiriente no es correcto");
  const decided = { number, rules, isDecided: turn !== "processing" };
  service.known.set(code, decided);
  return operation === "SendTestSetAsync" ? ticket(code) : verdict(operation, code, decided);
}

function respond(service: DianService, operation: string, asked: XmlElement): string {
  if (operation === "GetNumberingRange") return ranges();
  const code = at(asked, "trackId")!.replace(/^zip-/, "");
  if (operation === "GetStatusZip" && service.closedTestSet)
    return status(operation, { code: "2", description: "Set de prueba con identificador se encuentra Aceptado." });
  const known = service.known.get(code);
  if (!known) return status(operation, { code: "66", description: "TrackId no existe en los registros de la DIAN." });
  return verdict(operation, code, known);
}

function isRejected({ rules }: Verdict): boolean {
  return rules.some((rule) => rule.includes("Rechazo"));
}

function verdict(operation: string, key: string, given: Verdict): string {
  if (!given.isDecided) return status(operation, { description: "Batch en proceso de validación." });
  const isValid = !isRejected(given);
  return isValid
    ? status(operation, { key, isValid, code: "00", description: "Procesado Correctamente.", rules: given.rules })
    : status(operation, {
        ...{ key, isValid, code: "99", rules: given.rules },
        description: "Validación contiene errores en campos mandatorios.",
      });
}

interface Told {
  isValid?: boolean;
  code?: string;
  description: string;
  rules?: readonly string[];
  key?: string;
}

function status(operation: string, { isValid = false, code, description, rules = [], key = "" }: Told): string {
  const response =
    `<b:ErrorMessage xmlns:c="http://schemas.microsoft.com/2003/10/Serialization/Arrays">${rules.map((rule) => `<c:string>${rule}</c:string>`).join("")}</b:ErrorMessage>` +
    `<b:IsValid>${isValid}</b:IsValid>${code === undefined ? '<b:StatusCode i:nil="true"/>' : `<b:StatusCode>${code}</b:StatusCode>`}` +
    `<b:StatusDescription>${description}</b:StatusDescription><b:StatusMessage i:nil="true"/>` +
    `<b:XmlBase64Bytes i:nil="true"/><b:XmlBytes i:nil="true"/><b:XmlDocumentKey>${key}</b:XmlDocumentKey><b:XmlFileName/>`;
  const inner = operation === "GetStatusZip" ? `<b:DianResponse>${response}</b:DianResponse>` : response;
  return soap(
    `<${operation}Response xmlns="http://wcf.dian.colombia"><${operation}Result xmlns:b="http://schemas.datacontract.org/2004/07/DianResponse" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">${inner}</${operation}Result></${operation}Response>`,
  );
}

function ticket(code: string): string {
  return soap(
    `<SendTestSetAsyncResponse xmlns="http://wcf.dian.colombia"><SendTestSetAsyncResult xmlns:b="http://schemas.datacontract.org/2004/07/UploadDocumentResponse" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><b:ErrorMessageList i:nil="true"/><b:ZipKey>zip-${code}</b:ZipKey></SendTestSetAsyncResult></SendTestSetAsyncResponse>`,
  );
}

function ranges(): string {
  return soap(
    '<GetNumberingRangeResponse xmlns="http://wcf.dian.colombia"><GetNumberingRangeResult xmlns:b="urn:b"><b:OperationCode>100</b:OperationCode><b:OperationDescription>Acción completada OK.</b:OperationDescription><b:ResponseList><b:NumberRangeResponse><b:ResolutionNumber>18760000001</b:ResolutionNumber><b:ResolutionDate>2019-01-19</b:ResolutionDate><b:Prefix>SETP</b:Prefix><b:FromNumber>990000000</b:FromNumber><b:ToNumber>995000000</b:ToNumber><b:ValidDateFrom>2019-01-19</b:ValidDateFrom><b:ValidDateTo>2030-01-19</b:ValidDateTo><b:TechnicalKey>fc8eac422eba16e22ffd8c6f94b3f40a6e38162c</b:TechnicalKey></b:NumberRangeResponse></b:ResponseList></GetNumberingRangeResult></GetNumberingRangeResponse>',
  );
}

function fault(code: string, reason = ""): string {
  return soap(
    `<s:Fault><s:Code><s:Value>${code}</s:Value></s:Code><s:Reason><s:Text xml:lang="en">${reason}</s:Text></s:Reason></s:Fault>`,
  );
}

function soap(body: string): string {
  return `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Header/><s:Body>${body}</s:Body></s:Envelope>`;
}

/** Exactly one file, as the directory at the archive's end tells it. */
function onlyFile(zip: Buffer): { name: string; xml: string } {
  const end = zip.lastIndexOf("PK\u0005\u0006");
  if (zip.readUInt16LE(end + 10) !== 1) throw new Error("an archive of one file was expected");
  const entry = zip.readUInt32LE(end + 16);
  const name = zip.subarray(entry + 46, entry + 46 + zip.readUInt16LE(entry + 28)).toString("utf8");
  const start = zip.readUInt32LE(entry + 42);
  const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  return { name, xml: inflateRawSync(zip.subarray(data, data + zip.readUInt32LE(entry + 20))).toString("utf8") };
}
