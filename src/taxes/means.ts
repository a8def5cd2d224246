/** A means of payment, for whatever speaks of it: paper, portal, register, the authority's provider and the journal. */
interface Means {
  name: string;
  /** The provider's row, which is not the authority's code. 1 is an instrument that is not defined. */
  providerId: number;
  /** In the standard chart for merchants; an accountant adapts it. */
  account: string;
  /** Nothing was paid yet. */
  isCredit: boolean;
  /** The counter's buttons, and the refunds of the portal; registers of others may send any. */
  offered: readonly ("counter" | "refund")[];
}

const cash = "110505";
const bank = "111005";
const undefinedInstrument = 1;
const everywhere = ["counter", "refund"] as const;
const atRefund = ["refund"] as const;

/** In the order in which people choose. */
const table = {
  CASH: { name: "Efectivo", providerId: 10, account: cash, isCredit: false, offered: everywhere },
  CARD: { name: "Tarjeta", providerId: 48, account: bank, isCredit: false, offered: everywhere },
  CREDIT_CARD: { name: "Tarjeta de crédito", providerId: 48, account: bank, isCredit: false, offered: atRefund },
  DEBIT_CARD: { name: "Tarjeta débito", providerId: 49, account: bank, isCredit: false, offered: atRefund },
  TRANSFER: { name: "Transferencia", providerId: 47, account: bank, isCredit: false, offered: everywhere },
  NEQUI: { name: "Nequi", providerId: 47, account: bank, isCredit: false, offered: everywhere },
  DAVIPLATA: { name: "Daviplata", providerId: 47, account: bank, isCredit: false, offered: everywhere },
  BRE_B: { name: "Bre-B", providerId: 47, account: bank, isCredit: false, offered: atRefund },
  CHEQUE: { name: "Cheque", providerId: 20, account: cash, isCredit: false, offered: atRefund },
  // Vouchers (the authority's code 71) have no row at the provider.
  BONO: { name: "Bono", providerId: undefinedInstrument, account: "280505", isCredit: false, offered: atRefund },
  FIADO: { name: "Fiado", providerId: undefinedInstrument, account: "130505", isCredit: true, offered: atRefund },
  // What registers of others call it.
  CREDIT: { name: "Crédito", providerId: undefinedInstrument, account: "130505", isCredit: true, offered: atRefund },
  OTHER: {
    name: "Otro medio",
    providerId: undefinedInstrument,
    account: bank,
    isCredit: false,
    offered: everywhere,
  },
} as const satisfies Record<string, Means>;

export type MeansCode = keyof typeof table;

export const allMeans = Object.keys(table) as MeansCode[];

/** What a sale that names none was paid with, and whose row counts for a means that is not in the table. */
export const otherMeans: MeansCode = "OTHER";

/** A register may call its means "constructor". */
export function meansOf(code: string): Means {
  return isListed(code) ? table[code] : table[otherMeans];
}

/** One that nobody named keeps its own word, unless there is nothing in it to read. */
export function paymentName(code: string): string {
  const named = legibleMeans(code);
  return isListed(named) ? table[named].name : named;
}

/** A means whose word is blank, or made of characters that do not show, is another one: a list must not have a row without a name. */
export function legibleMeans(code: string): string {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(code) ? code : otherMeans;
}

/** "Efectivo + Nequi". */
export function paymentNames(parts: readonly { payment_method: string }[]): string {
  return [...new Set(parts.map(({ payment_method }) => paymentName(payment_method)))].join(" + ");
}

export function meansOffered(where: Means["offered"][number]): MeansCode[] {
  return allMeans.filter((code) => meansOf(code).offered.includes(where));
}

/** Of ten sales, for shops that are made up. */
export const tenPayments: readonly MeansCode[] = [
  ...Array.from({ length: 6 }, (): MeansCode => "CASH"),
  ...(["NEQUI", "DAVIPLATA", "TRANSFER", "CARD"] as const),
];

function isListed(code: string): code is MeansCode {
  return Object.hasOwn(table, code);
}
