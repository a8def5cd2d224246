/** A fiscal profile, range or request that cannot be taken as given; the message is for the person who gave it. */
export class ProfileError extends Error {
  readonly problem: ProfileProblem;
  /** What was given wrong or not at all, where it is one thing. */
  readonly field: GivenField | undefined;

  constructor(problem: ProfileProblem, message: string, field?: GivenField) {
    super(message);
    this.name = "ProfileError";
    this.problem = problem;
    this.field = field;
  }
}

export type GivenField =
  | "nit"
  | "regime"
  | "softwarePin"
  | "prefix"
  | "first"
  | "last"
  | "next"
  | "reason"
  | "validUntil"
  | "technicalKey";

export type ProfileProblem =
  | "unknown_account"
  | "unknown_document"
  | "missing"
  | "bad_nit"
  | "bad_pin"
  | "bad_range"
  | "not_resendable";

export function isSoftwarePin(text: string): boolean {
  return /^[0-9A-Za-z]{1,40}$/.test(text);
}

/** A key cut short still hashes: the authority would reject the document after its number was spent. */
export function isTechnicalKey(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}
