/** A fiscal profile, range or request that cannot be accepted; the message is for the person who made it. */
export class ProfileError extends Error {
  readonly problem: ProfileProblem;
  /** The wrong or missing field, when there is exactly one. */
  readonly field: ProfileField | undefined;

  constructor(problem: ProfileProblem, message: string, field?: ProfileField) {
    super(message);
    this.name = "ProfileError";
    this.problem = problem;
    this.field = field;
  }
}

export type ProfileField =
  | "nit"
  | "regime"
  | "softwarePin"
  | "postalZone"
  | "contingencyHours"
  | "certificateUntil"
  | "prefix"
  | "first"
  | "last"
  | "next"
  | "reason"
  | "validFrom"
  | "validUntil"
  | "place"
  | "technicalKey";

export type ProfileProblem =
  | "unknown_account"
  | "unknown_document"
  | "missing"
  | "bad_nit"
  | "bad_pin"
  | "bad_setting"
  | "bad_range"
  | "not_resendable";

export function isSoftwarePin(text: string): boolean {
  return /^[0-9A-Za-z]{1,40}$/.test(text);
}
