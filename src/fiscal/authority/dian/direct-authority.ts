import { FiscalError } from "../../../taxes/fiscal-error.ts";
import type { Authority, AuthorityResponse, Submission } from "../authority.ts";
import { type Called, type CallSettings, call } from "./call.ts";
import { checkIssuance } from "./document/check-issuance.ts";
import type { Issuance } from "./document/issuance.ts";
import { kindOfDocument } from "./document/kinds.ts";
import { issuerIdentification } from "./document/parties.ts";
import { writeDocument } from "./document/write-document.ts";
import { readAnswer } from "./envelope/answer.ts";
import { fileNames } from "./envelope/file-name.ts";
import { type RangesAnswer, readNumberingRanges } from "./envelope/numbering-ranges.ts";
import { zipOf } from "./envelope/zip.ts";
import { signDocument } from "./signature/sign-document.ts";
import type { Signer } from "./signature/signer.ts";

export const endpoints = {
  production: "https://vpfe.dian.gov.co/WcfDianCustomerServices.svc",
  test: "https://vpfe-hab.dian.gov.co/WcfDianCustomerServices.svc",
} as const;

/** What a business signs and sends its documents with. */
export interface DirectIssuing {
  issuance: Issuance;
  signer: Signer;
  /** While the business is being enabled: what is sent belongs to this set. */
  testSetId?: string;
}

export interface DirectSettings extends CallSettings {
  issuingOf: (submission: Submission) => Promise<DirectIssuing>;
}

export interface DirectAuthority extends Authority {
  /** The ranges that the authority knows of, so that nobody types them. It answers in production only. */
  numberingRanges(nit: string, softwareId: string, signer: Signer): Promise<RangesAnswer>;
}

/**
 * The tax authority itself, without a provider. A sending without an answer is uncertain: what asks for the document's
 * code comes before any other sending, as with every authority.
 */
export function directAuthority({ issuingOf, ...calls }: DirectSettings): DirectAuthority {
  return {
    async send(submission) {
      const issuing = await issuingOf(submission);
      const { signer, testSetId } = issuing;
      const file = await signedFile(submission, issuing, calls.clock.now());
      if ("kind" in file) return file;
      const sent = { fileName: file.names.zip, contentFile: zipOf(file.names.xml, file.xml).toString("base64") };
      const called =
        testSetId === undefined
          ? await call(calls, signer, "SendBillSync", sent)
          : await call(calls, signer, "SendTestSetAsync", { ...sent, testSetId });
      const answer = verdictIn(called);
      return answer.kind === "accepted" ? { ...answer, xml: Buffer.from(file.xml, "utf8").toString("base64") } : answer;
    },

    async query(submission) {
      const { signer } = await issuingOf(submission);
      const { trackId, document } = submission;
      return verdictIn(
        trackId === null
          ? await call(calls, signer, "GetStatus", { trackId: document.cufe })
          : await call(calls, signer, "GetStatusZip", { trackId }),
      );
    },

    async numberingRanges(nit, softwareId, signer) {
      const { number } = issuerIdentification(nit);
      const asked = { accountCode: number, accountCodeT: number, softwareCode: softwareId };
      const called = await call(calls, signer, "GetNumberingRange", asked);
      return called.kind === "lost" ? { kind: "refused", message: called.message } : readNumberingRanges(called.text);
    },
  };
}

interface SignedFile {
  names: { xml: string; zip: string };
  xml: string;
}

async function signedFile(
  { document }: Submission,
  { issuance, signer }: DirectIssuing,
  now: Date,
): Promise<SignedFile | AuthorityResponse> {
  const kind = kindOfDocument(document);
  const problem = checkIssuance(document, kind, issuance, signer, now);
  if (problem) return { kind: "misconfigured", code: null, message: `${problem.message} ${problem.advice}` };
  try {
    const { number } = issuerIdentification(document.issuer_nit);
    const names = fileNames(kind, number, document.number, new Date(document.issued_at));
    return { names, xml: await signDocument(writeDocument(document, issuance), signer, now) };
  } catch (error) {
    if (error instanceof FiscalError) return { kind: "misconfigured", code: null, message: error.message };
    throw error;
  }
}

function verdictIn(called: Called): AuthorityResponse {
  return called.kind === "lost"
    ? { kind: "unavailable", message: called.message }
    : readAnswer(called.status, called.text);
}
