/** A customer who is half typed. */
export interface CustomerDraft {
  name: string;
  type: string;
  number: string;
  email: string;
  /** Whether she lets the shop send her advertisements. */
  accepts: boolean;
}

/** By the ticket or the sale they are for. In memory only: it is a person's data, and nobody has saved it yet. */
const drafts = new Map<string, CustomerDraft>();

export const customerDraft = (of: string) => drafts.get(of);

/** One without a word in it is none. */
export function keepCustomerDraft(of: string, draft: CustomerDraft): void {
  if ([draft.name, draft.number, draft.email].every((text) => text.trim() === "")) drafts.delete(of);
  else drafts.set(of, draft);
}

export function dropCustomerDraft(of: string): void {
  drafts.delete(of);
}
