// APIDIAN's own row ids, which are not the authority's codes.

/**
 * Taxes by the authority's code. Its base table ends here: withholdings travel elsewhere, and a code without a row
 * (32 ICL, 34 IBUA, 35 ICUI, …) cannot be sent.
 */
export const taxIds: Readonly<Record<string, number>> = {
  "01": 1,
  "02": 2,
  "03": 3,
  "04": 4,
  "20": 8,
  "21": 9,
  "22": 10,
  "23": 11,
  "24": 12,
  "25": 13,
  "26": 14,
};

/** The only ones whose units and value per unit reach the signed document. */
export const perUnitTaxCodes: readonly string[] = ["02", "22"];

export const identificationIds: Readonly<Record<string, number>> = { CC: 3, TI: 2, NIT: 6, CE: 5, PASAPORTE: 7 };

/** By the product's base unit. */
export const unitIds: Readonly<Record<string, number>> = {
  und: 70,
  kg: 767,
  g: 692,
  lb: 802,
  oz: 907,
  l: 821,
  ml: 852,
  doc: 636,
};

export const paymentForms = { cash: 1, credit: 2 } as const;
export const organizations = { company: 1, person: 2 } as const;
export const regimes = { iva: 1, none: 2 } as const;
/** R-99-PN: no special responsibility. */
export const noLiability = 117;
/** The business's own item codes (standard 999). */
export const ownItemCode = 4;
/** A charge that prints reason 03, as a tip must. `discount_id` is another list. */
export const tipChargeType = 4;
/** A note that refers to a document. */
export const referringNote = 12;
/** "Another value", as in the provider's example of a bag given away. */
export const otherReferencePrice = 3;
