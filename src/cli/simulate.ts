import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Progress, simulate } from "../../simulator/simulate.ts";
import { createEnrolmentCode } from "../access/devices/create-enrolment-code.ts";
import { sql } from "../db/sql.ts";
import { parseDuration } from "../lib/clock.ts";
import { demoEmail } from "../operations/demo/identity.ts";
import { accountId } from "./account.ts";
import { type Command, type Invocation, type Output, UsageError } from "./command.ts";
import { withDatabase } from "./with-database.ts";

export const simulateCommand: Command = {
  name: "simulate",
  summary: "Cajas que venden por /sync/v1 con cortes, reintentos y envíos tardíos",
  usage: "--registers 3 --rate 2 --for 60s [--offline 0.2] [--account <id>] [--folder …] [--seed 1]",
  options: {
    registers: "Cuántas cajas (por omisión, 3)",
    rate: "Operaciones por segundo en cada caja (2)",
    for: "Cuánto tiempo, por ejemplo 60s o 5m (60s)",
    offline: "Parte del tiempo que cada caja pasa sin red, de 0 a 0.9 (0.2)",
    account: "Id de la cuenta (por omisión, la de demostración)",
    folder: "Carpeta donde las cajas guardan sus libros (por omisión, una temporal)",
    seed: "Número del que sale el azar, para repetir un día",
  },
  async run(invocation) {
    const registers = number(invocation, "registers", 3, 1, 100);
    const forText = String(invocation.options.for ?? "60s");
    const forMs = parseDuration(forText);
    if (!forMs) throw new UsageError(`--for ${forText} no es una duración. Escriba por ejemplo 60s o 5m.`);
    const account = await findAccount(invocation);
    const folder =
      typeof invocation.options.folder === "string"
        ? invocation.options.folder
        : await mkdtemp(join(tmpdir(), "mostrador-cajas-"));
    const summary = await simulate({
      baseUrl: invocation.config.publicUrl,
      registers,
      rate: number(invocation, "rate", 2, 0.1, 1000),
      forMs,
      offline: number(invocation, "offline", 0.2, 0, 0.9),
      folder,
      seed: number(invocation, "seed", 1, 0, 2 ** 31),
      // Created on demand: a register may have to enrol again after a first code has expired.
      newCode: () => makeCode(invocation, account),
      print: (text) => invocation.out.note(`\n${text}\n`),
      onProgress: liveProgress(invocation.out, registers, forMs),
    });
    invocation.out.result(
      summary,
      [
        "",
        `${summary.sales} ventas y ${summary.records} registros en ${registers} cajas.`,
        `${summary.failures} fallas de red superadas, ${summary.restored} copia restaurada.`,
        summary.pending === 0 ? "Todo llegó al servidor." : `Quedan ${summary.pending} registros sin enviar.`,
        `Los libros de las cajas están en ${folder}`,
      ].join("\n"),
    );
    if (summary.pending > 0) process.exitCode = 1;
  },
};

async function findAccount({ config, options }: Invocation): Promise<string> {
  const { rows } = await withDatabase(config, ({ pool }) =>
    pool.query<{ id: string }>(
      typeof options.account === "string"
        ? sql`select id from accounts where id = ${accountId(options.account)}`
        : sql`select id from accounts where lower(email) = ${demoEmail}`,
    ),
  );
  if (rows[0]) return rows[0].id;
  throw new UsageError("No existe esa cuenta. Cree la de demostración con: npx mostrador demo, o use --account.");
}

async function makeCode({ config }: Invocation, account: string): Promise<string> {
  const { code } = await withDatabase(config, (deps) =>
    createEnrolmentCode(deps, { accountId: account, name: "Caja simulada" }),
  );
  return code;
}

function liveProgress(out: Output, registers: number, forMs: number): (progress: Progress) => void {
  if (out.json || !process.stderr.isTTY) return () => {};
  return ({ elapsedMs, sales, pending, online, failures }) => {
    const share = Math.min(1, elapsedMs / forMs);
    const bar = "█".repeat(Math.round(share * 20)).padEnd(20, "░");
    process.stderr.write(
      `\r${bar} ${sales} ventas · ${pending} por enviar · ${online}/${registers} en línea · ${failures} fallas   `,
    );
  };
}

function number({ options }: Invocation, name: string, fallback: number, min: number, max: number): number {
  const value = options[name] === undefined ? fallback : Number(options[name]);
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${name} ${options[name]} no es válido: use un número entre ${min} y ${max}.`);
}
