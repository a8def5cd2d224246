import type { Command } from "./command.ts";

export function generalHelp(
  commands: readonly Command[],
  { about, remarks }: { about: string; remarks: string },
): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return `${about}

Uso: npx mostrador <comando> [opciones]

${lines.join("\n")}

--version dice qué versión es. Todos aceptan --json (una sola línea JSON, para programas) y --help.
${remarks}
`;
}

export function commandHelp({ name, summary, usage = "", options, flags }: Command): string {
  const help = Object.entries({ ...options, ...flags });
  const width = Math.max(0, ...help.map(([option]) => option.length)) + 4;
  const lines = help.map(([option, text]) => `  ${`--${option}`.padEnd(width)}${text}`);
  return `${summary}

Uso: npx mostrador ${name}${usage && ` ${usage}`}
${lines.length > 0 ? `\n${lines.join("\n")}\n` : ""}`;
}
