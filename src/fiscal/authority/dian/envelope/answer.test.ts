import { describe, expect, test } from "vitest";
import { readAnswerXml } from "../xml/read-xml.ts";
import { applicationResponse, readAnswer } from "./answer.ts";
import { readNumberingRanges } from "./numbering-ranges.ts";

const soap = (body: string) =>
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Header/><s:Body>${body}</s:Body></s:Envelope>`;

interface Result {
  isValid?: boolean;
  code?: string | null;
  rules?: string[];
  message?: string;
  description?: string;
  operation?: string;
}

function result({
  isValid = false,
  code = "99",
  rules = [],
  message,
  description,
  operation = "SendBillSync",
}: Result) {
  const nil = (name: string, text: string | null | undefined) =>
    text == null ? `<b:${name} i:nil="true"/>` : `<b:${name}>${text}</b:${name}>`;
  const errors = rules.map((rule) => `<c:string>${rule}</c:string>`).join("");
  return soap(
    `<${operation}Response xmlns="http://wcf.dian.colombia"><${operation}Result xmlns:b="urn:b" xmlns:c="urn:c" xmlns:i="urn:i">` +
      `<b:ErrorMessage>${errors}</b:ErrorMessage><b:IsValid>${isValid}</b:IsValid>${nil("StatusCode", code)}` +
      `${nil("StatusDescription", description)}${nil("StatusMessage", message)}<b:XmlBase64Bytes>PGE+w7E8L2E+</b:XmlBase64Bytes>` +
      `<b:XmlDocumentKey>${"AB".repeat(48)}</b:XmlDocumentKey></${operation}Result></${operation}Response>`,
  );
}

const fad06 = "Regla: FAD06, Rechazo: Valor del CUFE no est&#xE1; calculado correctamente.";
const notice = "Regla: FAJ44b, Notificaci&#243;n: Responsabilidad informada no v&#xE1;lida";
const ninety = "Regla: 90, Rechazo: Documento procesado anteriormente.";

describe("an answer is", () => {
  test.each<[string, Result, object]>([
    [
      "accepted",
      { isValid: true, code: "00", message: "Procesado Correctamente." },
      { kind: "accepted", cufe: "ab".repeat(48) },
    ],
    ["accepted with a notice", { isValid: true, code: "00", rules: [notice] }, { kind: "accepted" }],
    [
      "rejected, in the words of its rules",
      { rules: [fad06] },
      { kind: "rejected", message: /^Regla: FAD06, Rechazo: Valor del CUFE no está/ },
    ],
    ["rejected with a notice beside it", { rules: [notice, fad06] }, { kind: "rejected", message: /FAJ44b.*FAD06/ }],
    [
      "rejected by an older text, without a severity",
      { rules: ["Regla: ZB01 Fallo en el esquema"] },
      { kind: "rejected" },
    ],
    ["known already, by rule 90 alone", { rules: [ninety, notice] }, { kind: "duplicate" }],
    ["rejected, when rule 90 is not alone", { rules: [ninety, fad06] }, { kind: "rejected" }],
    ["no verdict without a code", { code: null }, { kind: "processing" }],
    [
      "no verdict with an empty code",
      { code: "", description: "Batch en proceso de validación." },
      { kind: "processing" },
    ],
    ["no verdict while it is in process", { code: "98", description: "En Proceso" }, { kind: "processing" }],
    ["unknown", { code: "66", description: "TrackId no existe en los registros de la DIAN." }, { kind: "unknown" }],
    ["unknown by its text", { code: "90", description: "TrackId no encontrado" }, { kind: "unknown" }],
    [
      "about the test set",
      { code: "2", description: "Set de prueba se encuentra Aceptado." },
      { kind: "misconfigured", code: "2" },
    ],
    [
      "that the business is not enabled",
      { rules: ["Regla: 92, Rechazo: no habilitado"] },
      { kind: "misconfigured", code: "92" },
    ],
  ])("%s", (_, given, expected) => {
    const { message, ...rest } = expected as { message?: RegExp };
    const answers = [result(given), result({ ...given, operation: "GetStatus" })].map((text) => readAnswer(200, text));
    for (const answer of answers) {
      expect(answer).toMatchObject(rest);
      if (message) expect(answer.message).toMatch(message);
    }
  });
});

describe("an answer is also", () => {
  test("that of a batch in GetStatusZip", () => {
    const inner = /<b:ErrorMessage>.*<\/b:XmlDocumentKey>/.exec(result({ rules: [fad06] }))![0];
    const text = soap(
      `<R xmlns:b="urn:b"><GetStatusZipResult><b:DianResponse>${inner}</b:DianResponse></GetStatusZipResult></R>`,
    );
    expect(readAnswer(200, text).kind).toBe("rejected");
  });

  test("a key to ask with, for what was sent to the test set, or why there is none", () => {
    const sent = (inner: string) =>
      soap(`<r><SendTestSetAsyncResult xmlns:i="urn:i">${inner}</SendTestSetAsyncResult></r>`);
    const key = '<ErrorMessageList i:nil="true"/><ZipKey>6f0c-1</ZipKey>';
    expect(readAnswer(200, sent(key))).toMatchObject({ kind: "processing", trackId: "6f0c-1" });
    const refused =
      '<ErrorMessageList><X><ProcessedMessage>Set cerrado</ProcessedMessage></X></ErrorMessageList><ZipKey i:nil="true"/>';
    expect(readAnswer(200, sent(refused))).toEqual({ kind: "misconfigured", code: null, message: "Set cerrado" });
  });

  test("a fault of ours, which a setting corrects, or of theirs, which passes", () => {
    const fault = (code: string, text: string) =>
      soap(`<s:Fault><s:Code><s:Value>${code}</s:Value></s:Code>${text}</s:Fault>`);
    expect(readAnswer(500, fault("s:Client", ""))).toMatchObject({ kind: "misconfigured", code: "SOAP" });
    expect(
      readAnswer(500, fault("s:Sender", "<s:Reason><s:Text>An error verifying security</s:Text></s:Reason>")).message,
    ).toContain("An error verifying security");
    expect(readAnswer(500, fault("s:Receiver", "")).kind).toBe("unavailable");
  });

  test.each([
    [503, "Service Unavailable"],
    [200, "<html><body>"],
    [200, ""],
    [200, soap("<Otra/>")],
    [200, result({ isValid: true, code: "00" }).slice(0, -30)],
    [200, `<!DOCTYPE a [<!ENTITY x "y">]>${result({ isValid: true, code: "00" })}`],
    [200, `${"<a>".repeat(100)}${"</a>".repeat(100)}`],
  ])("no verdict when it cannot be read: %s %s", (status, text) => {
    expect(readAnswer(status, text).kind).toBe("unavailable");
  });
});

test("the authority's signed verdict is the XML in base64; what is no XML is not handed on", () => {
  expect(applicationResponse(result({ isValid: true }))).toBe("<a>ñ</a>");
  expect(applicationResponse(result({}).replace("PGE+w7E8L2E+", "UEsDBA=="))).toBeUndefined();
});

test("an answer's text may stand in CDATA, hold references, and lack a value", () => {
  const read = readAnswerXml(
    '<?xml version="1.0"?><a><!-- b --><b><![CDATA[<x>&]]>&amp;&#xE1;</b><c i:nil="true" xmlns:i="urn:i"/></a>',
  );
  expect(read?.children).toMatchObject([
    { name: "b", text: "<x>&&á" },
    { name: "c", isNil: true },
  ]);
});

describe("ranges", () => {
  const ranges = (code: string, list: string) =>
    soap(
      `<r><GetNumberingRangeResult xmlns:b="urn:b"><b:OperationCode>${code}</b:OperationCode><b:OperationDescription>Texto</b:OperationDescription><b:ResponseList>${list}</b:ResponseList></GetNumberingRangeResult></r>`,
    );
  const one = (fields = "<b:Prefix>SETP</b:Prefix><b:TechnicalKey>fc8eac</b:TechnicalKey>") =>
    `<b:NumberRangeResponse><b:ResolutionNumber>18760000001</b:ResolutionNumber>${fields}<b:FromNumber>990000000</b:FromNumber><b:ToNumber>995000000</b:ToNumber><b:ValidDateFrom>2019-01-19</b:ValidDateFrom><b:ValidDateTo>2030-01-19T00:00:00</b:ValidDateTo></b:NumberRangeResponse>`;
  const days = { validFrom: "2019-01-19", validUntil: "2030-01-19" };

  test("are read with their days as they are written, and with or without a technical key", () => {
    expect(readNumberingRanges(ranges("100", one() + one("<b:Prefix/>")))).toEqual({
      kind: "found",
      ranges: [
        {
          resolution: "18760000001",
          prefix: "SETP",
          first: 990000000,
          last: 995000000,
          ...days,
          technicalKey: "fc8eac",
        },
        { resolution: "18760000001", prefix: "", first: 990000000, last: 995000000, ...days, technicalKey: null },
      ],
    });
  });

  test("that are not there are explained in the authority's words", () => {
    expect(readNumberingRanges(ranges("100", ""))).toEqual({ kind: "refused", message: "Texto" });
    expect(readNumberingRanges(ranges("301", one())).kind).toBe("refused");
    expect(readNumberingRanges("nada").kind).toBe("refused");
  });
});
