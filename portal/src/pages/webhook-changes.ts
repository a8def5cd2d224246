import type { Answer } from "../lib/answers.ts";
import { post, remove } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { useNotice } from "../ui/notices.tsx";

/** The changes of one endpoint that need no code. Each shows a notice and refreshes what is on screen. */
export function useEndpointChanges(id: string) {
  const tell = useNotice();
  const path = `/webhook-endpoints/${id}`;
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["endpoint", id] }),
      client.invalidateQueries({ queryKey: ["endpoints"] }),
      client.invalidateQueries({ queryKey: ["list", `${path}/deliveries`] }),
    ]);
  return {
    refresh,
    async setStatus(change: "pause" | "resume" | "reactivate", notice: string): Promise<void> {
      await post(`${path}/${change}`);
      tell(notice);
      await refresh();
    },
    async sendTest(): Promise<void> {
      await post<Answer<"POST /webhook-endpoints/:id/test">>(`${path}/test`);
      tell("El evento de prueba va en camino. Su resultado aparece abajo.");
      await refresh();
    },
    async deleteEndpoint(): Promise<void> {
      await remove(path);
      tell("Webhook eliminado.");
      client.removeQueries({ queryKey: ["endpoint", id] });
      await client.invalidateQueries({ queryKey: ["endpoints"] });
    },
  };
}
