import { findingWords } from "../fiscal/findings/fiscal-finding.ts";
import { verify } from "../operations/verify/verify.ts";
import type { Command } from "./command.ts";
import { progressBar } from "./progress.ts";
import { withCurrentSchema } from "./with-database.ts";

const maxShown = 20;

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const verifyCommand: Command = {
  name: "verify",
  summary: "Comprueba que lo guardado es coherente; no cambia nada",
  async run({ config, out }) {
    const report = await withCurrentSchema(config, ({ pool }) => verify(pool, progressBar(out, "Comprobando")));
    const { length: problems } = report.problems;
    const found = report.problems.slice(0, maxShown).map((problem) => `  ${problem}`);
    const more = problems > maxShown ? [`  … y ${problems - maxShown} más (véalos con --json)`] : [];
    const reviewed = `${counted(report.records, "registro", "registros")} y ${counted(report.events, "evento", "eventos")}`;
    const summary = `${reviewed} revisados: `;
    const findings = report.findings.map(({ kind, count }) => `  ${count} ${findingWords[kind]}`);
    const open =
      findings.length > 0 ? ["Por atender en los negocios (mostrador fiscal findings <cuenta>):", ...findings] : [];
    const { refused } = report.set_aside;
    const aside =
      refused > 0
        ? [
            `Apartados por su contenido, sin aplicar (mostrador set-aside list): ${counted(refused, "registro", "registros")}`,
          ]
        : [];
    out.result(
      report,
      [
        problems === 0 ? `${summary}todo coincide.` : `${summary}${counted(problems, "problema", "problemas")}`,
        ...found,
        ...more,
        ...report.under_way.map((said) => `  ${said}`),
        ...open,
        ...aside,
      ].join("\n"),
    );
    if (problems > 0) process.exitCode = 1;
  },
};
