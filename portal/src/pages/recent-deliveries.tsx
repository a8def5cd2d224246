import type { Delivery } from "../lib/answers.ts";
import { useList } from "../lib/queries.ts";
import { DeliveryTable } from "../ui/delivery-table.tsx";
import { Empty, ErrorMessage, Loading } from "../ui/parts.tsx";

const shown = 8;

export function RecentDeliveries({ endpointId }: { endpointId: string }) {
  const list = useList<Delivery>(`/webhook-endpoints/${endpointId}/deliveries`, {});
  if (list.isPending) return <Loading />;
  if (list.error) return <ErrorMessage error={list.error} retry={list.refetch} />;
  if (list.data.length === 0) {
    return (
      <Empty icon="send" title="Todavía no hay entregas">
        Envíe un evento de prueba para ver qué responde su servidor.
      </Empty>
    );
  }
  return <DeliveryTable deliveries={list.data.slice(0, shown)} />;
}
