export type FiscalProblem =
  | "unreadable"
  | "negative"
  | "too_precise"
  | "too_large"
  | "not_whole"
  | "repeated_tax"
  | "two_discounts"
  | "discount_too_large"
  | "unknown_tax_class"
  | "bad_technical_key"
  | "bad_pin";

/** An input that a fiscal calculation cannot accept: `field` is its path, `problem` is for code, the message for people. */
export class FiscalError extends Error {
  readonly problem: FiscalProblem;
  readonly field: string;

  constructor(problem: FiscalProblem, field: string, message: string) {
    super(`${field}: ${message}`);
    this.name = "FiscalError";
    this.problem = problem;
    this.field = field;
  }
}
