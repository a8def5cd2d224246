/** What a note says of why it was made, where nobody gives a reason. The day's close knows replacements by the second. */
export const noteReasons = { cancelled: "Anulación de la venta", invoiced: "Se reemplaza por factura electrónica" };
