import { randomUUID } from "node:crypto";

export interface AttackOptions {
  url: string;
  key: string;
  registers: HostileRegister[];
  /** The cookie of a portal session. */
  cookie: string;
}

export interface HostileRegister {
  token: string;
  next: number;
  /** The push body, sent until it is accepted. It is kept because building a mebibyte each time would slow the attacker. */
  body?: Buffer | undefined;
}

/** The largest sales that the service accepts. */
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

/** One record of a mebibyte, which is over the limit. */
export function hugeSale(): object[] {
  return largeSales(1).map((sale) => ({
    ...sale,
    data: { ...(sale as { data: object }).data, notes: "x".repeat(780_000) },
  }));
}

export async function push(url: string, register: HostileRegister, make: () => object[]): Promise<number> {
  register.body ??= pushBody(register, make());
  const response = await fetch(`${url}/sync/v1/push`, {
    method: "POST",
    headers: { authorization: `Bearer ${register.token}`, "content-type": "application/json" },
    body: register.body,
  });
  await response.arrayBuffer();
  if (response.status === 200) register.body = undefined;
  return response.status;
}

function pushBody(register: HostileRegister, records: object[]): Buffer {
  const numbered = records.map((record) => ({ device_seq: register.next++, ...record }));
  return Buffer.from(JSON.stringify({ sent_at: new Date().toISOString(), records: numbered }));
}
