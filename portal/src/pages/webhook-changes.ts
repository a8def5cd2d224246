import type { Answer } from "../lib/answers.ts";
import { post, remove } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { useNotify } from "../ui/notices.tsx";

/** Changes to an endpoint that need no mailed code. Each one notifies the owner and refreshes the page. */
export function useEndpointChanges(id: string) {
  const notify = useNotify();
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
      notify(notice);
      await refresh();
    },
    async sendTest(): Promise<string> {
      const { delivery_id } = await post<Answer<"POST /webhook-endpoints/:id/test">>(`${path}/test`);
      void refresh();
      return delivery_id;
    },
    async sendExample(type: string): Promise<string> {
      const { delivery_id } = await post<Answer<"POST /webhook-endpoints/:id/example">>(`${path}/example`, { type });
      void refresh();
      return delivery_id;
    },
    async deleteEndpoint(): Promise<void> {
      await remove(path);
      notify("Webhook eliminado.");
      client.removeQueries({ queryKey: ["endpoint", id] });
      await client.invalidateQueries({ queryKey: ["endpoints"] });
    },
  };
}
