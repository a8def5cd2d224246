import { Button, Menu } from "@mantine/core";
import { whatsAppLink } from "../../../ui/whatsapp.ts";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";

/** The page on which the buyer sees the document: no account of anybody's is needed for it. */
export function ShareMenu({ link, phone }: { link: string; phone: string | null | undefined }) {
  const notify = useNotify();
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => notify("Enlace copiado. Quien lo tenga ve el documento, sin clave."),
      () => notify("El navegador no dejó copiar. Abra «Verlo como el comprador» y copie la dirección de arriba."),
    );
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="share" size={18} />}>
          Compartir
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={whatsAppLink(`Este es el documento de su compra: ${link}`, phone)}
          target="_blank"
          rel="noreferrer"
        >
          Enviar por WhatsApp
        </Menu.Item>
        <Menu.Item onClick={() => void copy()}>Copiar el enlace</Menu.Item>
        <Menu.Item component="a" href={link} target="_blank" rel="noreferrer">
          Verlo como el comprador
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
