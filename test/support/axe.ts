import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import axeCore, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Rules that can only find what axe calls minor or moderate: what they say would be thrown away. */
const lesserRules = Object.fromEntries(
  (axeCore as unknown as { _audit: { rules: { id: string; impact: string }[] } })._audit.rules
    .filter(({ impact }) => impact === "minor" || impact === "moderate")
    .map(({ id }) => [id, { enabled: false }]),
);

/** The faults that axe calls serious. All rules in the light scheme; in the dark one only those about colours. */
export async function faults(
  page: Page,
  scheme: "light" | "dark",
  shown = `[data-mantine-color-scheme="${scheme}"]`,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(shown).waitFor({ state: "attached" });
  // Through the debugger, because the page's content policy allows no foreign script; once in each document.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const rules =
    scheme === "dark"
      ? { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }
      : { rules: lesserRules };
  const options = JSON.stringify({ ...rules, resultTypes: ["violations"] });
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`,
    );
}

/** Resolves when the page is shown and nothing on it is still loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).or(page.getByText("Esta página no existe")).first().waitFor();
  await page.getByRole("status", { name: "Cargando" }).first().waitFor({ state: "detached" });
}
