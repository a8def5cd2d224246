import type { Figure } from "../support/measure.ts";

/** The ratio that a figure must reach or must not exceed. */
export interface Requirement {
  name: RegExp;
  least?: number;
  most?: number;
}

export interface Section {
  title: string;
  /** How it is measured, in a few sentences. */
  method: string;
  asked: readonly Requirement[];
}

/** The page's text about each benchmark, in the page's order. */
export const sections: Record<string, Section> = {
  reads: {
    title: "Reads",
    method:
      "24 connections read one page of 25 products with variants, and one product. The limit is a bare Fastify handler that runs the same statement on the driver's own pool, without keys, validation, limits or log; ours sends the reads of one turn together, which is how it can pass the limit. Then one connection reads pages of a large catalog, the limit being the same page of 1 000 products.",
    asked: [
      { name: /^GET /, least: 0.85 },
      { name: /products against 1000$/, most: 1.3 },
    ],
  },
  writes: {
    title: "Writes",
    method:
      "24 connections create customers, each with an idempotency key and its event. The limit is a bare handler that inserts the same rows in one transaction, without the account's clock. Writers of one account queue for that clock.",
    asked: [
      { name: / 1 account$/, least: 1.3 },
      { name: /24 accounts$/, least: 0.8 },
    ],
  },
  exports: {
    title: "Exports",
    method:
      "One client downloads all sales. The limit is COPY … TO STDOUT of the same bodies in the same order, read by the same driver.",
    asked: [
      { name: /^memory of an export/, most: 1 },
      { name: /^(?!memory)/, least: 0.6 },
    ],
  },
  sync: {
    title: "Synchronization",
    method:
      "Four registers upload batches of 50 sales. The limit is every row that this writes, made beforehand and stored by bare multi-row INSERTs; elsewhere it is what is allowed or wanted.",
    asked: [
      { name: /of bare INSERTs$/, least: 0.6 },
      { name: /of the least wanted/, least: 1 },
      { name: /^(?!push)/, most: 1 },
    ],
  },
  webhooks: {
    title: "Webhooks",
    method:
      "A worker empties a backlog towards an HTTPS receiver in another process. The limit of the deliveries is a bare undici loop that signs and posts to the same receiver, without database, history or lanes; elsewhere it is what is allowed.",
    asked: [
      { name: /^deliveries/, least: 0.5 },
      { name: /^(?!deliveries)/, most: 1 },
    ],
  },
  fiscal: {
    title: "Fiscal documents",
    method:
      "1 000 sales are uploaded in batches of 50, numbered, sent to the simulated authority and settled; the rate is by the processor time of the service and the database together, so that it is what one core does. The authority's two seconds pass on a clock that is moved ahead. A PDF is timed by the clock, one after the other, from the request to its last byte: the median. The limit is what is wanted or allowed.",
    asked: [
      { name: /^documents /, least: 1 },
      { name: /^PDF\b/, most: 1 },
    ],
  },
  growth: {
    title: "Growth",
    method:
      "Accounts of each size stand in one database, and one connection sends every request to each of them in turn, through the whole stack; p50 of all. Rows are copies made in SQL of 200 products, 200 customers, 100 sales and 2 events, each with its own id, times and number, customers with a document number of their own; the large account is our figure, the small one the limit. Then the same load is spread over more accounts, and the same deliveries over more endpoints.",
    asked: [{ name: / rows against /, most: 1.5 }],
  },
  "end-to-end": {
    title: "From a call to its webhook",
    method:
      "32 connections create customers in one business and in 24, each with an idempotency key, an event and a delivery to an HTTPS receiver; a call counts when its webhook has arrived, and its processor time is that of service and PostgreSQL. Then four registers upload batches of 50 sales, each of which is announced, and then come 100 calls a second, for the time from the answer to the arrival. Five rounds warm up. The limit is another checkout (`--against <folder>`), here e3cdbd0, each by its own `npm start` and with its own PostgreSQL, in turns. Without `--against` it is a bare handler that inserts the same rows in one transaction and then signs and posts the event.",
    asked: [
      { name: /^calls delivered, 1 account$/, least: 3 },
      { name: /^calls delivered, 24 accounts$/, least: 2 },
      { name: /^processor for each, calls, 1 account$/, most: 0.45 },
      { name: /^memory/, most: 1 },
      { name: /^answer → receipt/, most: 0.6 },
    ],
  },
  starving: {
    title: "One business beside another",
    method:
      "`mostrador start` in a process of its own, with its usual limits. A neighbour reads a list, writes a customer and reads it back, over and over, first alone and then beside a business that keeps 40 pushes of a mebibyte, 25 lists and 60 exports that nobody reads, and 80 calls of the portal under way. The limit is what is allowed: a p99 that rises by 100 ms, 600 MB of memory.",
    asked: [{ name: /^(?!neighbour alone)/, most: 1 }],
  },
  neighbours: {
    title: "Nobody waits for another",
    method:
      "`mostrador start` in a process of its own, with its usual limits, and the same neighbour, alone and beside each of these in turns: a business that sends forty writes four times each while its clock is held by a slow writer, a business that uploads spreadsheets at every limit, and a stranger at the neighbour's own address with unknown API keys, none twice. The limit is what is allowed: a p99 that rises by 100 ms.",
    asked: [{ name: /./, most: 1 }],
  },
  caja: {
    title: "Caja",
    method:
      "The register in a headless Chromium on the same machine as the service. Times are taken inside the page: from the navigation to the first products, from a scanner's first key to the line, from the typed text to the results, from the tap to the ticket, which shows when the sale is on the disk. The limit is the time that is allowed; with twice the products and 50 000 sales on the device, one and a half times that.",
    asked: [{ name: /./, most: 1 }],
  },
  orders: {
    title: "Orders",
    method:
      "A program places an order in a shop whose Caja is open at Pedidos in a headless Chromium; the portal accepts it and the program cancels it, with a pause of up to 1.5 s before the next. From the moment that the request is sent to the card on the screen, and to the arrival at the HTTPS receiver. The limit is what is allowed.",
    asked: [{ name: /./, most: 1 }],
  },
  capacity: {
    title: "Capacity",
    method:
      "Eight simulated registers of four shops sell, upload every three actions and load each other's changes, as fast as they can, towards one process. What one sale costs: processor time of the service and of PostgreSQL, memory, disk by what is kept and what leaves after 30 days, the write-ahead log, and the bytes of requests and answers. [operations.md](operations.md#capacity) has what follows for an installation.",
    asked: [],
  },
  portal: {
    title: "Portal",
    method:
      "A shop with a year of sales, made in SQL: three lines each, 500 products, 4 registers with two shifts a day. One owner's browser asks over one connection; the limit is the time that is allowed. Then the same uploads are stored with and without the totals that make the year's reports short, in turns, by one register without fiscal documents: the ratio is what the totals cost.",
    asked: [
      { name: / of one without/, most: 1.05 },
      { name: / p95$/, most: 1 },
    ],
  },
  imports: {
    title: "Products from a file",
    method:
      "A CSV of products that are all new, each with its category, cost and stock, is uploaded in the portal and applied until the last product is there, in a business of its own for each round; the first round does not count. The limit is another checkout (`--against <folder>`), here a623a61, each by its own `npm start` and with its own PostgreSQL, in turns. Without `--against` it is the time that is allowed.",
    asked: [{ name: /, whole$/, most: 0.25 }],
  },
};

/** The requirement for this figure and whether it is met; undefined if there is none. */
export function judge(section: Section, { name, ratio }: Figure): { text: string; isMet: boolean } | undefined {
  const asked = section.asked.find((candidate) => candidate.name.test(name));
  if (!asked) return undefined;
  const { least, most } = asked;
  return least === undefined
    ? { text: `≤ ${most}`, isMet: ratio <= most! }
    : { text: `≥ ${least}`, isMet: ratio >= least };
}
