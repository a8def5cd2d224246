/** Why a document would be refused, found before it takes a number. */
export interface DocumentProblem {
  /** The field, for code and for telling one matter from another. */
  field: string;
  /** Spanish, a whole sentence. */
  message: string;
  /** What to do about it; it follows the message. */
  advice: string;
}

export const correctSale = "Corrija la venta en la caja y reenvíe el documento.";
export const correctCustomer = "Corrija el cliente y reenvíe el documento.";
export const correctProfile = "Corríjalo en el perfil fiscal y reenvíe el documento.";
