import { second } from "../../../lib/clock.ts";
import type { Authority, AuthorityResponse, Submission } from "../authority.ts";
import { requestBody, sendPath } from "./request.ts";
import { readResponse } from "./response.ts";

export interface ApidianSettings {
  /** Including the version: https://apidian.example.com/api/ubl2.1 */
  url: string;
  /** The company's token, for a business that has none of its own. */
  token: string | undefined;
  /** The annex counts a response after more than a minute as delayed. */
  timeoutMs?: number;
}

/** Enough for a verdict, which includes the signed document in base64. */
const largestResponseBytes = 8 * 1024 * 1024;

/** The authority behind APIDIAN, a provider's HTTP service. Every response and every failure becomes an AuthorityResponse. */
export function apidianAuthority({ url, token, timeoutMs = 60 * second }: ApidianSettings): Authority {
  async function post(path: string, submission: Submission, body: object): Promise<AuthorityResponse> {
    const bearer = submission.token ?? token;
    if (bearer === undefined)
      return {
        kind: "misconfigured",
        code: null,
        message: "Falta el token de APIDIAN: use APIDIAN_TOKEN o el perfil fiscal.",
      };
    try {
      const response = await fetch(`${url}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${bearer}`,
          "content-type": "application/json",
          accept: "application/json",
        },
        body: JSON.stringify(body),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      return readResponse(response.status, await readText(response));
    } catch (error) {
      return { kind: "unavailable", message: whyUnavailable(error as Error) };
    }
  }

  return {
    send: (submission) => post(sendPath(submission), submission, requestBody(submission)),
    query(submission) {
      const { document, trackId } = submission;
      const path =
        trackId === null ? `/status/document/${document.cufe}` : `/status/zip/${encodeURIComponent(trackId)}`;
      const isEquivalent = document.type_document_id === 15 || document.type_document_id === 26;
      return post(path, submission, {
        sendmail: false,
        sendmailtome: false,
        is_payroll: false,
        is_eqdoc: isEquivalent,
      });
    },
  };
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > largestResponseBytes) throw new Error("la respuesta es demasiado grande");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** fetch puts the reason into the cause of its error. */
function whyUnavailable(error: Error): string {
  if (error.name === "TimeoutError") return "APIDIAN no respondió a tiempo.";
  const { code, message } = (error.cause ?? error) as { code?: string; message?: string };
  return `APIDIAN no respondió (${code ?? message ?? error.message}).`;
}
