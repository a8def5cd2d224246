import type { TString } from "typebox";
import { label } from "../../engine/resources/fields.ts";
import { oneLinePattern } from "../../lib/one-line.ts";

/** A name typed by the owner, shown in mails, lists and the audit log. */
export const typedName = (maxLength: number): TString =>
  label(maxLength, {
    pattern: oneLinePattern,
    "x-hints": { pattern: "Escriba el nombre en una sola línea, con letras visibles y sin caracteres de control." },
  });
