import type { SealedDocument } from "../content/document-content.ts";
import type { IssuerSettings } from "../profile/profile.ts";

/** What a document's authority must know beside the document. */
export interface Submission {
  accountId: string;
  document: SealedDocument;
  settings: IssuerSettings;
  /** The business's own token at the provider, when it has one. */
  token: string | null;
  /** What the authority gave to ask for the document with, when it is not the CUFE or CUDE. */
  trackId: string | null;
}

/** What the authority said, in the words of the lifecycle. */
export type Answer =
  | { kind: "accepted"; code: string | null; message: string | null; cufe?: string }
  | { kind: "rejected"; code: string | null; message: string }
  /** It has the number already: whether that is this document, a query tells. */
  | { kind: "duplicate"; message: string }
  /** It has the document and has not decided. */
  | { kind: "processing"; message: string | null; trackId?: string }
  /** It does not know the document. */
  | { kind: "unknown"; message: string }
  /** No answer that says anything: it may or may not have the document. */
  | { kind: "unavailable"; message: string }
  /** It will not take any document before somebody mends a setting. */
  | { kind: "misconfigured"; code: string | null; message: string };

/** The tax authority, or the provider that speaks to it. Neither call throws for what the other side does. */
export interface Authority {
  send(submission: Submission): Promise<Answer>;
  query(submission: Submission): Promise<Answer>;
}
