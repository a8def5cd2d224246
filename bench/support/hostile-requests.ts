import { randomUUID } from "node:crypto";

export interface AttackOrders {
  url: string;
  key: string;
  tills: Till[];
  /** Of an open session in the portal. */
  cookie: string;
}

export interface Till {
  token: string;
  next: number;
  /** The push that is sent until it is taken: writing a mebibyte anew each time would be the attacker's work, not ours. */
  body?: Buffer | undefined;
}

/** As large as the service still takes. */
export function largeSales(count: number): object[] {
  const line = () => ({ id: randomUUID(), quantity: 1, unit_price: 1, subtotal: 1, description: "x".repeat(4_900) });
  return Array.from({ length: count }, () => ({
    type: "sale",
    id: randomUUID(),
    op: "upsert",
    data: {
      status: "completed",
      total: 50,
      occurred_at: new Date().toISOString(),
      items: Array.from({ length: 50 }, line),
    },
  }));
}

/** One record of a mebibyte, as before there was a limit. */
export function hugeSale(): object[] {
  return largeSales(1).map((sale) => ({
    ...sale,
    data: { ...(sale as { data: object }).data, notes: "x".repeat(780_000) },
  }));
}

export async function push(url: string, till: Till, make: () => object[]): Promise<number> {
  till.body ??= pushBody(till, make());
  const answer = await fetch(`${url}/sync/v1/push`, {
    method: "POST",
    headers: { authorization: `Bearer ${till.token}`, "content-type": "application/json" },
    body: till.body,
  });
  await answer.arrayBuffer();
  if (answer.status === 200) till.body = undefined;
  return answer.status;
}

function pushBody(till: Till, records: object[]): Buffer {
  const numbered = records.map((record) => ({ device_seq: till.next++, ...record }));
  return Buffer.from(JSON.stringify({ sent_at: new Date().toISOString(), records: numbered }));
}
