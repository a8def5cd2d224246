/** A return, or a change of document, that cannot be made. The message is for the person who asked for it. */
export class CorrectionError extends Error {
  /** The field of the request that is wrong, if one is. */
  readonly param: string | undefined;

  constructor(message: string, param?: string) {
    super(message);
    this.name = "CorrectionError";
    this.param = param;
  }
}
