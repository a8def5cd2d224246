import type { Queryable } from "../../db/pool.ts";
import type { ZipEntry } from "../../lib/zip.ts";
import { instantText } from "../../taxes/words.ts";
import { type Person, wholeName } from "../person.ts";
import { keepingWords } from "../tables.ts";
import { type Holding, holdingsOf } from "./holdings.ts";

interface About {
  business: string;
  /** What she was looked for by. */
  wanted: string;
  now: Date;
}

/**
 * The files of what is held about a person: `datos.json` with all of it, and a paper that says in words what it is. It is
 * written piece by piece, however many sales there are.
 */
export function personArchive(db: Queryable, accountId: string, person: Person, about: About): ZipEntry[] {
  const counts = new Map<string, number>();
  const holdings = holdingsOf(db, accountId, person);
  return [
    { name: "datos.json", parts: jsonOf(holdings, about, counts) },
    { name: "resumen.txt", parts: summaryOf(holdings, person, about, counts) },
  ];
}

async function* jsonOf(
  holdings: readonly Holding[],
  { business, wanted, now }: About,
  counts: Map<string, number>,
): AsyncGenerator<string> {
  yield `{"negocio":${JSON.stringify(business)},"buscado":${JSON.stringify(wanted)},"fecha":${JSON.stringify(now.toISOString())}`;
  for (const { name, pages } of holdings) {
    yield `,\n${JSON.stringify(name)}:[`;
    let count = 0;
    for await (const page of pages()) {
      const before = count;
      yield page.map((row, i) => `${before + i > 0 ? "," : ""}\n${JSON.stringify(row)}`).join("");
      count += page.length;
    }
    counts.set(name, count);
    yield "]";
  }
  yield "}\n";
}

/** Read after the other file was written, which counts. */
async function* summaryOf(
  holdings: readonly Holding[],
  person: Person,
  { business, wanted, now }: About,
  counts: ReadonlyMap<string, number>,
): AsyncGenerator<string> {
  const known: [string, readonly string[]][] = [
    ["Nombre", person.names.map(wholeName)],
    ["Documento", person.documents],
    ["Correo", person.emails],
    ["Teléfono", person.phones],
  ];
  yield [
    `Datos personales que ${business} guarda en Mostrador`,
    "",
    `Buscado: ${wanted}`,
    `Fecha: ${instantText(now.toISOString())}`,
    "",
    ...known.flatMap(([what, values]) => (values.length > 0 ? [`${what}: ${values.join(", ")}`] : [])),
    "",
    "Qué hay, y en qué parte de datos.json:",
    ...holdings.map(({ name, title }) => `- ${title}: ${counts.get(name) ?? 0} (${name})`),
    "",
    "La autorización para publicidad, con su fecha y dónde se dio, está en «cliente»: accepts_marketing.",
    `Los documentos fiscales se conservan. ${keepingWords.law}.`,
    "Para corregir o borrar los demás datos, escriba al negocio (Ley 1581 de 2012, arts. 8 y 15).",
    "",
  ].join("\r\n");
}
