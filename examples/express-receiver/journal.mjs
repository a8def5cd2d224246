import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What was dealt with, a line each. A line cut short by a crash counts as not done: its event comes again. */
export function openJournal(file) {
  const seen = new Set();
  if (existsSync(file)) {
    const whole = readFileSync(file, "utf8").split("\n").slice(0, -1);
    for (const line of whole) if (line.endsWith("}")) seen.add(JSON.parse(line).id);
    // Closes a half line, so that the next one starts by itself.
    appendFileSync(file, "\n");
  }
  return {
    has: (id) => seen.has(id),
    add(entry) {
      appendFileSync(file, `${JSON.stringify(entry)}\n`, { flush: true });
      seen.add(entry.id);
    },
  };
}
