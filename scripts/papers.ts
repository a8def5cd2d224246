import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newShop, startBench } from "../bench/support/dataset.ts";
import { theOperator } from "../src/access/accounts/record-audit.ts";
import { type Paper, paperWidths } from "../src/paper/paper.ts";
import { newPress, wholeOf } from "../src/paper/press.ts";
import { furnishPapers } from "../test/support/every-paper.ts";
import { qrIn, readPdf } from "../test/support/pdf.ts";

/**
 * Draws every paper as pictures, at each width: `node scripts/papers.ts <folder> [paper …]`. The sales have 60 lines, long
 * names and every class of tax. It prints what each QR leads to.
 */
const [folder = "papers", ...only] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const bench = await startBench();
const press = newPress();
try {
  const { accountId } = await newShop(bench);
  const papers = await furnishPapers(bench, accountId, theOperator);
  for (const [name, paper] of Object.entries(papers)) {
    if (only.length > 0 && !only.includes(name)) continue;
    for (const width of paperWidths) await photograph(name, paper, width);
  }
} finally {
  await press.stop();
  await bench.stop();
}

async function photograph(name: string, paper: Paper, width: (typeof paperWidths)[number]): Promise<void> {
  const pdf = await readPdf(await wholeOf(await press.print("papers", paper, width)));
  for (let page = 1; page <= pdf.pages; page++) {
    // Twice the size of the screen: small type can be judged, and a roll of 60 lines is still a picture.
    const picture = await pdf.picture(page, 2);
    const file = join(folder, `${name}-${width}${pdf.pages > 1 ? `-${page}` : ""}.png`);
    await writeFile(file, picture.png);
    const qr = page === pdf.pages ? qrIn(await pdf.picture(page, 3)) : undefined;
    process.stdout.write(`${file}${qr ? ` → ${qr}` : ""}\n`);
  }
}
