import type { MeansCode } from "../../../../taxes/means.ts";

// The authority's own lists, which are not the ids of a provider.

export const identifications: Readonly<Record<string, string>> = {
  TI: "12",
  CC: "13",
  CE: "22",
  NIT: "31",
  PASAPORTE: "41",
};

/** By the product's base unit. */
export const units: Readonly<Record<string, string>> = {
  und: "94",
  kg: "KGM",
  g: "GRM",
  lb: "LBR",
  oz: "ONZ",
  l: "LTR",
  ml: "MLT",
  doc: "DZN",
};
export const pieces = "94";

const undefinedInstrument = "1";

export const paymentMeans: Readonly<Record<MeansCode, string>> = {
  CASH: "10",
  CARD: "48",
  CREDIT_CARD: "48",
  DEBIT_CARD: "49",
  TRANSFER: "47",
  NEQUI: "47",
  DAVIPLATA: "47",
  BRE_B: "47",
  CHEQUE: "20",
  BONO: "71",
  FIADO: undefinedInstrument,
  CREDIT: undefinedInstrument,
  OTHER: undefinedInstrument,
};
export const otherInstrument = undefinedInstrument;

/** Whether it is paid at once or owed. */
export const paymentForms = { cash: "1", credit: "2" } as const;

export const taxNames: Readonly<Record<string, string>> = {
  "01": "IVA",
  "02": "IC",
  "03": "ICA",
  "04": "INC",
  "20": "FtoHorticultura",
  "21": "Timbre",
  "22": "INC Bolsas",
  "23": "INCarbono",
  "24": "INCombustibles",
  "25": "Sobretasa Combustibles",
  "26": "Sordicom",
  "32": "ICL",
  "33": "INPP",
  "34": "IBUA",
  "35": "ICUI",
  "36": "ADV",
  ZZ: "No aplica",
};

export const organizations = { company: "1", person: "2" } as const;
/** No special responsibility. */
export const noResponsibility = "R-99-PN";
/** A price that is neither the commercial one nor that of the inventory. */
export const otherPrice = "03";
export const tipCharge = "03";
/** The business's own codes for its products. */
export const ownItemScheme = "999";

export const authority = {
  nit: "800197268",
  checkDigit: "4",
  agency: {
    schemeAgencyID: "195",
    schemeAgencyName: "CO, DIAN (Dirección de Impuestos y Aduanas Nacionales)",
  },
} as const;
