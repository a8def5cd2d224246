import type { SealedDocument } from "../content/document-content.ts";
import type { IssuerSettings } from "../profile/profile.ts";

/** A document, and what the authority needs besides it. */
export interface Submission {
  accountId: string;
  document: SealedDocument;
  settings: IssuerSettings;
  /** The business's own token at the provider, when it has one. */
  token: string | null;
  /** The authority's own key for querying the document, when that is not the CUFE or CUDE. */
  trackId: string | null;
}

/** What the authority responded, in the terms of the document's lifecycle. */
export type AuthorityResponse =
  /** `xml`: the signed document in base64, where the provider hands it out. */
  | { kind: "accepted"; code: string | null; message: string | null; cufe?: string; xml?: string }
  | { kind: "rejected"; code: string | null; message: string }
  /** It has the number already; a query tells whether that is this document. */
  | { kind: "duplicate"; message: string }
  /** It has the document and has not decided. */
  | { kind: "processing"; message: string | null; trackId?: string }
  /** It does not know the document. */
  | { kind: "unknown"; message: string }
  /** No usable response: it may or may not have the document. */
  | { kind: "unavailable"; message: string }
  /** It accepts no document until a setting is corrected. */
  | { kind: "misconfigured"; code: string | null; message: string };

/** The tax authority, or the provider in front of it. Faults of the other side are responses, not exceptions. */
export interface Authority {
  send(submission: Submission): Promise<AuthorityResponse>;
  query(submission: Submission): Promise<AuthorityResponse>;
}
