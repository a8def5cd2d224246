import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const levels: Record<number, [string, Style]> = {
  10: ["TRACE", "dim"],
  20: ["DEBUG", "dim"],
  30: ["INFO ", "green"],
  40: ["WARN ", "yellow"],
  50: ["ERROR", "red"],
  60: ["FATAL", "red"],
};

/** A log line for people at a terminal: time, level, message, then the other fields. */
export function readableLine(json: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const [name, style] = levels[Number(level)] ?? [String(level), "dim"];
  const fields = Object.entries(rest).map(([key, value]) => `${key}=${shown(value)}`);
  const parts = [clockTime(Number(time)), styleText(style, name), String(msg ?? "")];
  if (fields.length > 0) parts.push(styleText("dim", fields.join(" ")));
  return `${parts.join(" ")}\n${error(err)}`;
}

function clockTime(time: number): string {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** The beginning of a long list is enough for a person. */
const maxFieldLength = 100;

function shown(value: unknown): string {
  const text = typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return text.length > maxFieldLength ? `${text.slice(0, maxFieldLength)}…` : text;
}

/** On separate lines, because a stack on one line is unreadable. */
function error(err: unknown): string {
  if (typeof err !== "object" || err === null) return "";
  const { stack, message, ...rest } = err as Record<string, unknown>;
  const text = [String(stack ?? message ?? ""), ...(Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : [])];
  return `${text.join("\n").replace(/^/gm, "  ")}\n`;
}
