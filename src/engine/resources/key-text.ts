const maxLength = 100;

/**
 * What an index holds of a register's word. An index entry has room for 2.7 kB, and a register may upload 5000 characters
 * as a sale's status: its upload must not fail for that. Counts code points, as PostgreSQL does.
 */
export function keyText(text: string): string {
  return text.length <= maxLength ? text : Array.from(text).slice(0, maxLength).join("");
}
