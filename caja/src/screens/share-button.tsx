import type { KeptSale } from "../../../register/sale.ts";
import { whatsAppLink } from "../../../ui/whatsapp.ts";
import { useOpen } from "../use-device.ts";

/** Hands the buyer the address of his document, from the shop's own WhatsApp. Nothing where there is no such address. */
export function ShareButton({ sale, link }: { sale: KeptSale; link: string | undefined }) {
  const { register } = useOpen();
  if (link === undefined || sale.data.status === "cancelled") return null;
  const customer = sale.data.customer_id ? register.catalog.get("customer", sale.data.customer_id) : undefined;
  const chat = whatsAppLink(`Este es el documento de su compra: ${link}`, customer?.phone);
  return (
    <button type="button" onClick={() => window.open(chat, "_blank", "noopener")}>
      Por WhatsApp
    </button>
  );
}
