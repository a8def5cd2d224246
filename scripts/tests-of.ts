import { allRules, isAbout } from "../test/support/rules.ts";

/**
 * Which test holds a rule: `node scripts/tests-of.ts POST /customers 409`, `… IDEMPOTENCY_KEY_REUSED`, `… /ventas/:id`, `… offline tip`.
 * Without words, every address and error with the number of its tests.
 */
const words = process.argv.slice(2);
const rules = await allRules();
if (words.length > 0) {
  for (const { path, line, sentence } of rules.filter((rule) => isAbout(rule, words)))
    console.log(`${path}:${line}  ${sentence}`);
} else {
  const counts = new Map<string, number>();
  for (const { addresses, codes } of rules)
    for (const name of [...addresses.map(({ name }) => name), ...codes]) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of [...counts].toSorted(([a], [b]) => a.localeCompare(b, "en")))
    console.log(`${count}\t${name}`);
}
