import { Type } from "../../../lib/schema.ts";

export const mailedCodeField = Type.String({
  pattern: "^\\d{6}$",
  "x-hints": { pattern: "El código tiene 6 dígitos." },
});
