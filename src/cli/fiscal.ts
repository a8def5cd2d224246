import { sql } from "../db/sql.ts";
import { readContingency } from "../fiscal/documents/contingency.ts";
import { resendDocument } from "../fiscal/documents/resend-document.ts";
import { readFindings } from "../fiscal/findings/read-findings.ts";
import type { NumberingRange } from "../fiscal/numbering/numbering.ts";
import { readSkipped } from "../fiscal/numbering/skipped-numbers.ts";
import { missingIn } from "../fiscal/profile/completeness.ts";
import { type IssuerProfile, readProfile, readRanges } from "../fiscal/profile/profile.ts";
import { ProfileError } from "../fiscal/profile/profile-error.ts";
import { setProfile } from "../fiscal/profile/set-profile.ts";
import { setRange } from "../fiscal/profile/set-range.ts";
import { shownProfile, shownRange, shownRangeWithSkipped } from "../fiscal/profile/shown-settings.ts";
import { isUuid } from "../lib/ids.ts";
import { accountId } from "./account.ts";
import { type Command, type Invocation, UsageError, word } from "./command.ts";
import { readChanges, readRange } from "./fiscal-options.ts";
import { type CommandDeps, withDatabase } from "./with-database.ts";

export const fiscalSet: Command = {
  name: "fiscal set",
  summary: "Crea o cambia el perfil fiscal de una cuenta",
  usage: "<cuenta> --nit 900373923-8 --regime iva --prices-include-tax true --documents electronic --pin -",
  takes: 1,
  options: {
    nit: "NIT del negocio con su dígito de verificación",
    regime: "iva, inc (impuesto al consumo) o none (no responsable)",
    "prices-include-tax": "true si los precios ya incluyen impuestos (lo normal) o false",
    documents: "electronic (ante la DIAN) o internal",
    pin: 'PIN del software ante la DIAN; se guarda cifrado. "-" lo lee de la entrada estándar, obligatorio en producción',
    "postal-zone": "Zona postal del negocio, 6 dígitos: el proveedor la exige en los documentos POS",
    "max-contingency-hours":
      "Horas que la DIAN puede no responder antes de avisar que el negocio está en contingencia (24)",
    "certificate-until": "Último día del certificado con que el proveedor firma, por ejemplo 2027-05-31",
    "authority-token": "Token de la empresa en APIDIAN, si no usa APIDIAN_TOKEN; como --pin",
    settings:
      "Otros datos que pide el proveedor, como JSON: municipality_id, test_set_id, cash_location, …; null quita uno",
  },
  async run(invocation) {
    const account = accountId(word(invocation, 0, "el id de la cuenta"));
    const changes = await readChanges(invocation);
    const profile = await withFiscal(invocation, (deps) => setProfile(deps, account, changes));
    const missing = missingIn(profile, invocation.config);
    invocation.out.result(
      { account_id: account, ...shownProfile(profile), missing },
      [sentence(profile), ...missing.map(({ message }) => message)].join("\n"),
    );
  },
};

export const fiscalRange: Command = {
  name: "fiscal range",
  summary: "Agrega un rango de numeración, o corrige el que empieza en el mismo número",
  usage:
    "<cuenta> --kind pos --prefix EPOS --from 1 --to 5000 --valid-until 2028-12-31 [--technical-key -] [--next 101 --reason …]",
  takes: 1,
  options: {
    kind: "pos, invoice o note",
    prefix: "Hasta 4 letras o números; sin ella, sin prefijo",
    from: "Primer número",
    to: "Último número",
    next: "Próximo número, si los anteriores ya se usaron en otra parte; con --reason",
    reason: "Por qué se saltan los números antes de --next: queda anotado con ellos",
    "valid-from": "Primer día en que vale, si la resolución lo dice, por ejemplo 2026-12-31",
    "valid-until": "Último día en que vale, por ejemplo 2028-12-31; las notas no lo necesitan",
    "technical-key": "Clave técnica del rango (obligatoria para facturas); como --pin de fiscal set",
    resolution: "Número de la resolución de la DIAN",
    register: 'Id de la caja que lo usa (véalas con device list); "all", todas',
    warehouse: "Id de la bodega cuyas cajas lo usan; con --registers",
    registers: "Ids de las cajas de la bodega, separados por comas",
    location: "Id de la sede cuyas cajas lo usan",
  },
  async run(invocation) {
    const account = accountId(word(invocation, 0, "el id de la cuenta"));
    const input = await readRange(invocation);
    const range = await withFiscal(invocation, (deps) => setRange(deps, account, input));
    invocation.out.result(shownRange(range), `Rango ${rangeLine(range)}`);
  },
};

export const fiscalShow: Command = {
  name: "fiscal show",
  summary: "Muestra el perfil fiscal, sus rangos y los documentos que esperan o fallaron",
  usage: "<cuenta>",
  takes: 1,
  async run(invocation) {
    const account = accountId(word(invocation, 0, "el id de la cuenta"));
    const read = await withFiscal(invocation, async ({ pool, config, clock }) => ({
      contingency: await readContingency(pool, account, clock.now()),
      profile: await readProfile(pool, config.secretKeys, account),
      ranges: await readRanges(pool, config.secretKeys, account),
      skipped: await readSkipped(pool, account),
      documents: (
        await pool.query(sql`
          select i.id, i.status, i.body->>'prefix' as prefix, (i.body->>'number')::bigint as number,
            coalesce(i.body->>'dian_message', d.last_answer) as message, d.due_at as next_at
          from fiscal_documents d join invoices i on i.account_id = d.account_id and i.id = d.invoice_id
          where d.account_id = ${account} and d.state <> 'decided' order by d.created_at desc limit 50`)
      ).rows,
    }));
    const { profile, ranges, skipped, documents, contingency } = read;
    if (!profile)
      throw new UsageError(`La cuenta ${account} no tiene perfil fiscal. Créelo con: npx mostrador fiscal set`);
    const missing = missingIn(profile, invocation.config);
    const shown = ranges.map((range) => shownRangeWithSkipped(range, skipped));
    invocation.out.result(
      { account_id: account, ...shownProfile(profile), missing, contingency, ranges: shown, waiting: documents },
      [
        sentence(profile),
        ...missing.map(({ message }) => message),
        ...(contingency?.ticket_text ? [contingency.ticket_text] : []),
        ...ranges.flatMap((range, i) => [
          `  ${rangeLine(range)}`,
          ...shown[i]!.skipped.map(
            (one) => `    saltados ${one.from}–${one.to}: ${one.reason} (${one.at.slice(0, 10)}, ${one.by})`,
          ),
        ]),
        ...documents.map((one) => `  ${one.id}  ${one.prefix ?? ""}${one.number}  ${one.status}  ${one.message ?? ""}`),
      ].join("\n"),
    );
  },
};

export const fiscalResend: Command = {
  name: "fiscal resend",
  summary: "Reenvía a la DIAN un documento rechazado o que no se pudo emitir",
  usage: "<id del documento>",
  takes: 1,
  async run(invocation) {
    const id = word(invocation, 0, "el id del documento");
    const invoice = await withFiscal(invocation, async (deps) => {
      const { rows } = isUuid(id)
        ? await deps.pool.query<{ account_id: string }>(sql`select account_id from invoices where id = ${id}`)
        : { rows: [] };
      if (!rows[0]) throw new UsageError(`No existe el documento ${id}.`);
      return resendDocument(deps, rows[0].account_id, id);
    });
    const name = `${invoice.prefix ?? ""}${invoice.number}`;
    if (invoice.status === "emission_failed")
      throw new UsageError(invoice.dian_message ?? `${name} no se pudo emitir.`);
    invocation.out.result(invoice, `Documento ${name}: ${invoice.status}.`);
  },
};

export const fiscalFindings: Command = {
  name: "fiscal findings",
  summary: "Muestra lo que no concuerda entre las ventas y los documentos de una cuenta",
  usage: "<cuenta>",
  takes: 1,
  async run(invocation) {
    const account = accountId(word(invocation, 0, "el id de la cuenta"));
    const data = await withFiscal(invocation, ({ pool }) => readFindings(pool, account));
    const lines = data.map(({ gravity, message, next_step, sale_id, invoice_id, found_at }) =>
      [
        `${found_at.toISOString().slice(0, 10)}  ${gravity === "error" ? "GRAVE" : "aviso"}  ${message}`,
        `    ${next_step}`,
        `    ${[sale_id && `venta ${sale_id}`, invoice_id && `documento ${invoice_id}`].filter(Boolean).join(", ")}`,
      ].join("\n"),
    );
    invocation.out.result(
      { account_id: account, data },
      lines.length === 0 ? "Las ventas y los documentos de la cuenta concuerdan." : lines.join("\n"),
    );
  },
};

async function withFiscal<T>(invocation: Invocation, work: (deps: CommandDeps) => Promise<T>): Promise<T> {
  try {
    return await withDatabase(invocation.config, work);
  } catch (error) {
    throw error instanceof ProfileError ? new UsageError(error.message, { cause: error }) : error;
  }
}

function sentence({ nit, regime, documents, pricesIncludeTax }: IssuerProfile): string {
  return `Perfil fiscal: NIT ${nit}, régimen ${regime}, documentos ${documents === "electronic" ? "electrónicos" : "internos"}, precios ${pricesIncludeTax ? "con" : "sin"} impuestos.`;
}

function rangeLine(range: NumberingRange): string {
  const { kind, prefix, first, last, next, validFrom, validUntil } = range;
  const from = validFrom ? `, vigente desde ${validFrom}` : "";
  const until = validUntil ? `, vigente hasta ${validUntil}` : "";
  const places = { caja: range.registerId, bodega: range.warehouseId, sede: range.locationId };
  const place = Object.entries(places).flatMap(([word, id]) => (id ? `, ${word} ${id}` : []));
  return `${kind} ${prefix} ${first}–${last}, próximo ${next}${from}${until}${place.join("")}`;
}
