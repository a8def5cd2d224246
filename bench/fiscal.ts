import { theOperator } from "../src/access/accounts/record-audit.ts";
import { sales } from "../src/business/sales/resource.ts";
import { sql } from "../src/db/sql.ts";
import { writing } from "../src/engine/writing/writing.ts";
import { simulatedAuthority } from "../src/fiscal/authority/simulated/simulated-authority.ts";
import { issueDocuments } from "../src/fiscal/documents/issue-documents.ts";
import { fiscalWorker } from "../src/fiscal/documents/worker.ts";
import { setProfile } from "../src/fiscal/profile/set-profile.ts";
import { setRange } from "../src/fiscal/profile/set-range.ts";
import { second } from "../src/lib/clock.ts";
import { type Paper, type PaperWidth, paperWidths } from "../src/paper/paper.ts";
import { documentPaper } from "../src/paper/papers/document-paper.ts";
import { readDocument } from "../src/paper/papers/read-document.ts";
import { newPress, wholeOf } from "../src/paper/press.ts";
import { computeTaxes } from "../src/taxes/tax.ts";
import { iva } from "../src/taxes/tax-classes.ts";
import { furnishPapers } from "../test/support/every-paper.ts";
import { saleBody, saleItemBody } from "../test/support/records.ts";
import type { BenchOptions } from "./options.ts";
import { cpuMeter } from "./support/cpu.ts";
import { type Bench, newShop, startBench } from "./support/dataset.ts";
import { type Figure, median } from "./support/measure.ts";

const leastPerSecond = 200;
const longestPaperMs = 30;
const papersPerRound = 20;
/** As many as a register uploads at once. */
const salesPerWrite = 50;

/**
 * A thousand documents, or as many as `--rows` says, through the simulated authority, by the processor time of service and
 * database; and the papers of each kind, by the clock.
 */
export async function run({ rounds, rows, note }: BenchOptions): Promise<Figure[]> {
  const documents = Math.ceil(rows / salesPerWrite) * salesPerWrite;
  const bench = await startBench();
  try {
    const speeds: number[] = [];
    let accountId = "";
    for (let i = 0; i <= rounds; i++) {
      accountId = await openIssuing(bench);
      const { perCore, perSecond } = await settle(bench, accountId, documents);
      // The first round loads code and plans statements.
      if (i > 0) speeds.push(perCore);
      note(`${documents} documents: ${perSecond.toFixed(0)}/s by the clock, ${perCore.toFixed(0)}/s of a core`);
    }
    return [
      limited("documents numbered, sent and settled, per second of a core", "/s", median(speeds), leastPerSecond),
      ...(await measurePapers(bench, accountId, { papers: rounds * papersPerRound, note })),
    ];
  } finally {
    await bench.stop();
  }
}

async function openIssuing(bench: Bench): Promise<string> {
  const { accountId } = await newShop(bench);
  await setProfile(bench, accountId, {
    nit: "900373923-8",
    regime: "iva",
    documents: "electronic",
    softwarePin: "12345",
  });
  const range = { first: 1, last: 1_000_000, validUntil: "2099-12-31", resolution: "18760000001" };
  await setRange(bench, accountId, { ...range, kind: "pos", prefix: "EPOS" });
  return accountId;
}

/** From the upload of the sales to the last verdict. The authority takes two seconds to decide: the clock is moved ahead. */
async function settle(
  bench: Bench,
  accountId: string,
  documents: number,
): Promise<{ perCore: number; perSecond: number }> {
  const worker = fiscalWorker(bench, simulatedAuthority(bench));
  const cpuSeconds = await cpuMeter(bench.pool);
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds([process.pid])];
  for (let sold = 0; sold < documents; sold += salesPerWrite) await sell(bench, accountId);
  for (let i = 0; i < 10 && (await pending(bench, accountId)) > 0; i++) {
    await worker.workOff();
    bench.clock.shiftTo(bench.clock.offsetMs() + 3 * second);
  }
  const spent = cpuSeconds([process.pid]) - cpuBefore;
  const seconds = (performance.now() - startedAt) / 1000;
  const left = await pending(bench, accountId);
  if (left > 0) throw new Error(`${left} documents have no verdict`);
  await worker.stop();
  return { perCore: documents / spent, perSecond: documents / seconds };
}

async function sell(bench: Bench, accountId: string): Promise<void> {
  await writing(bench, accountId, async (write) => {
    const at = write.at.toISOString();
    const made = Array.from({ length: salesPerWrite }, () => saleBody(at));
    for (const sale of await issueDocuments(bench, write, made)) {
      write.put(sales, { body: sale });
      write.emit("sale.created", sale);
    }
  });
}

async function pending({ pool }: Bench, accountId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(sql`
    select count(*)::int as count from invoices where account_id = ${accountId} and status <> 'issued'`);
  return rows[0]!.count;
}

/** Of the papers that `furnishPapers` makes, those that are measured, with their names in the report. */
const kinds: Record<string, string> = {
  factura: "invoice, 60 lines",
  "nota-credito": "credit note, 60 lines",
  "nota-ajuste": "POS note, 40 lines",
  devolucion: "return, 40 lines",
  cotizacion: "quote, 60 lines",
  "z-turno": "Z of a shift",
  "z-dia": "Z of a day",
};

interface PaperOptions {
  papers: number;
  note: BenchOptions["note"];
}

/**
 * One paper after the other, from the request to its last byte, by the clock: the median. The document with 20 lines is
 * read from the database each time; of the other kinds only the drawing is measured.
 */
async function measurePapers(bench: Bench, accountId: string, options: PaperOptions): Promise<Figure[]> {
  const press = newPress();
  try {
    const id = await longDocument(bench, accountId);
    const read = async () => documentPaper((await readDocument(bench, accountId, id))!);
    const others = await furnishPapers(bench, (await newShop(bench)).accountId, theOperator);
    const figures: Figure[] = [];
    const measure = async (name: string, width: PaperWidth, paper: () => Paper | Promise<Paper>) => {
      const print = async () => wholeOf(await press.print(accountId, await paper(), width));
      const title = `PDF, ${name}, ${width === "a4" ? "A4" : `${width} mm`}`;
      const ms = await medianMs(bench, title, print, options);
      figures.push(limited(title, "ms", ms, longestPaperMs));
    };
    for (const width of paperWidths) await measure("POS document read and drawn, 20 lines", width, read);
    for (const [kind, name] of Object.entries(kinds)) await measure(name, "a4", () => others[kind]!);
    return figures;
  } finally {
    await press.stop();
  }
}

async function medianMs(
  { pool }: Bench,
  title: string,
  print: () => Promise<unknown>,
  { papers, note }: PaperOptions,
): Promise<number> {
  const cpuSeconds = await cpuMeter(pool);
  for (let i = 0; i < 10; i++) await print();
  const before = cpuSeconds([process.pid]);
  const times: number[] = [];
  for (let i = 0; i < papers; i++) {
    const startedAt = performance.now();
    await print();
    times.push(performance.now() - startedAt);
  }
  const cpuMs = ((cpuSeconds([process.pid]) - before) * 1000) / papers;
  const ms = median(times);
  note(`${title}: ${ms.toFixed(1)} ms by the clock, ${cpuMs.toFixed(1)} ms of a core`);
  return ms;
}

async function longDocument(bench: Bench, accountId: string): Promise<string> {
  return writing(bench, accountId, async (write) => {
    const at = write.at.toISOString();
    // As a register computes it: the same line twenty times over would be beyond the authority's tolerance.
    const { lines, ...totals } = computeTaxes({
      lines: Array.from({ length: 20 }, () => ({ quantity: 2, unit_price: 3200, taxes: [iva(19)] })),
    });
    const items = lines.map(({ subtotal, taxes }) => saleItemBody({ subtotal, taxes }));
    const [stored] = await issueDocuments(bench, write, [saleBody(at, { ...totals, items })]);
    write.put(sales, { body: stored! });
    return stored!.invoices[0]!.id;
  });
}

function limited(name: string, unit: string, ours: number, limit: number): Figure {
  return { name, unit, ours: Math.round(ours * 10) / 10, limit, ratio: Math.round((ours / limit) * 1000) / 1000 };
}
