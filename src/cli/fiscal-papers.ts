import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { sql } from "../db/sql.ts";
import { readDayClosing } from "../fiscal/closing/closing.ts";
import { isDay } from "../fiscal/closing/day.ts";
import { isUuid } from "../lib/ids.ts";
import { demoEmail } from "../operations/demo/identity.ts";
import { drawPaper } from "../paper/draw.ts";
import { type PaperWidth, paperWidths } from "../paper/paper.ts";
import { paperText } from "../paper/paper-text.ts";
import { closingPaper } from "../paper/papers/closing-paper.ts";
import { documentPaper } from "../paper/papers/document-paper.ts";
import { readDocument } from "../paper/papers/read-document.ts";
import { dayText } from "../taxes/words.ts";
import { accountId } from "./account.ts";
import { type Command, type Invocation, UsageError, word } from "./command.ts";
import { type CommandDeps, withDatabase } from "./with-database.ts";

const width = "Ancho del papel: a4 (por omisión), 80 o 58 mm";

export const fiscalPdf: Command = {
  name: "fiscal pdf",
  summary: "Guarda la representación gráfica de un documento como PDF",
  usage: "<id del documento> [--width a4|80|58] [--out archivo.pdf]",
  takes: 1,
  options: { width, out: "Archivo que se escribe (por omisión, el número del documento en esta carpeta)" },
  async run(invocation) {
    const id = word(invocation, 0, "el id del documento").toLowerCase();
    const paperWidth = widthOf(invocation);
    const paper = await withDatabase(invocation.config, async (deps) => {
      const { rows } = isUuid(id)
        ? await deps.pool.query<{ account_id: string }>(sql`select account_id from invoices where id = ${id}`)
        : { rows: [] };
      const facts = rows[0] && (await readDocument(deps, rows[0].account_id, id));
      if (!facts) throw new UsageError(`No existe el documento ${id}.`);
      return documentPaper(facts);
    });
    const file = fileOf(invocation, `${paper.fileName.replaceAll(/[^\w.-]/g, "_")}.pdf`);
    await pipeline(drawPaper(paper, paperWidth), createWriteStream(file));
    invocation.out.result({ file }, `${paper.title}: ${file}`);
  },
};

export const fiscalZ: Command = {
  name: "fiscal z",
  summary: "Muestra el informe Z de un día: documentos, ventas por tarifa, medios de pago, devoluciones y diferencias",
  usage: "<día, como 2026-11-16> [--account <id>] [--out z.pdf [--width a4|80|58]]",
  takes: 1,
  options: {
    account: "Id de la cuenta (por omisión, la única que hay, o la de demostración)",
    out: "Además, lo guarda como PDF en este archivo",
    width,
  },
  async run(invocation) {
    const date = word(invocation, 0, "el día");
    if (!isDay(date)) throw new UsageError(`"${date}" no es un día: escríbalo como 2026-11-16.`);
    const paperWidth = widthOf(invocation);
    const { closing, paper } = await withDatabase(invocation.config, async (deps) => {
      const account = await findAccount(deps, invocation);
      const closing = await readDayClosing(deps.pool, account, date);
      return { closing, paper: await closingPaper(deps, account, closing, deps.clock.now()) };
    });
    if (typeof invocation.options.out === "string")
      await pipeline(drawPaper(paper, paperWidth), createWriteStream(fileOf(invocation, "z.pdf")));
    invocation.out.result(closing, `Informe Z del ${dayText(date)}\n${paperText(paper)}`);
  },
};

function widthOf({ options }: Invocation): PaperWidth {
  const value = options.width ?? "a4";
  const known = paperWidths.find((one) => one === value);
  if (known) return known;
  throw new UsageError(`--width ${value} no existe: use ${paperWidths.join(", ")}.`);
}

function fileOf({ options }: Invocation, fallback: string): string {
  return typeof options.out === "string" && options.out !== "" ? options.out : fallback;
}

async function findAccount({ pool }: CommandDeps, { options }: Invocation): Promise<string> {
  if (typeof options.account === "string") return accountId(options.account);
  const { rows } = await pool.query<{ id: string; email: string }>(sql`
    select id, lower(email) as email from accounts order by (lower(email) = ${demoEmail}) desc limit 2`);
  if (rows[0] && (rows.length === 1 || rows[0].email === demoEmail)) return rows[0].id;
  throw new UsageError("Hay varias cuentas: indique cuál con --account. Véalas con: npx mostrador account list");
}
