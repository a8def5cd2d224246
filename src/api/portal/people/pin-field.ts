import { Type } from "../../../lib/schema.ts";

export const pin = Type.String({
  pattern: "^[0-9]{4,8}$",
  description: "De 4 a 8 cifras.",
  "x-hints": { pattern: "El PIN tiene de 4 a 8 cifras, sin letras." },
});
