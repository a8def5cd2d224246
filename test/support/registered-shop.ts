import { perTest, shopPerTest, verifiedService } from "./fixtures.ts";
import { openAgain } from "./portal.ts";
import { saleBody } from "./records.ts";
import { enrol, upload } from "./register.ts";

export const now = () => new Date().toISOString();
/** A sale as a register uploads it. */
export const sale = (fields: object = {}) => upload(saleBody(now(), fields));

export interface Flag {
  type: string;
  record_id: string;
  findings: { field: string }[];
}

/** A service for the file and, for each test, a new shop with one register. */
export function registerPerTest() {
  const service = verifiedService();
  const shop = shopPerTest(service);
  const till = perTest(() => enrol(service, shop.accountId));

  /** The types of a business's events, oldest first. */
  async function eventTypes(business = shop): Promise<string[]> {
    const { body } = await business.api.get("/events?order=asc&limit=100");
    return body.data.map((event: { type: string }) => event.type);
  }

  /** Rows of the database; $1 is the shop's account unless `values` are given. */
  async function rows(text: string, values: unknown[] = [shop.accountId]) {
    return (await service.deps.pool.query(text, values)).rows;
  }

  /** The register's odd records as its owner sees them. */
  async function flagged() {
    const owner = await openAgain(service, shop, "");
    return (await owner.get(`/devices/${till.deviceId}/flagged`)).body.data;
  }

  return { service, shop, till, eventTypes, rows, flagged };
}
