/** Units of UN/ECE recommendation 20 that suppliers use, in a shop's words. Another is shown as it came. */
const names: Record<string, string> = {
  "94": "und",
  EA: "und",
  C62: "und",
  NIU: "und",
  H87: "und",
  UN: "und",
  KGM: "kg",
  GRM: "g",
  LBR: "lb",
  LTR: "l",
  MLT: "ml",
  MTR: "m",
  DZN: "Docena",
  BX: "Caja",
  XBX: "Caja",
  CT: "Cartón",
  PK: "Paquete",
  XPK: "Paquete",
  BG: "Bolsa",
  XBG: "Bolsa",
  SA: "Bulto",
  XSA: "Bulto",
  ZZ: "und",
};

export const unitNamed = (code: string): string =>
  names[code.trim().toUpperCase()] ?? (code.trim().slice(0, 60) || "und");

/** How many base units come in one, where the unit itself says it; 1 otherwise. */
export const factorNamed = (unit: string): number => (unit === "Docena" ? 12 : 1);
