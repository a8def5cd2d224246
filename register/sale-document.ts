/** A document of a sale as it came down. */
export interface SaleDocument {
  id: string;
  sale_id: string;
  document_type: string;
  status: string;
  prefix: string | null;
  number: number | null;
  cufe: string | null;
  dian_message: string | null;
  qr: string | null;
}
