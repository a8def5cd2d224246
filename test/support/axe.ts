import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe takes for serious, in the given scheme. All rules in the light one; in the dark one only what colours can break. */
export async function faults(page: Page, scheme: "light" | "dark"): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: "attached" });
  // By the debugger's door: the page's own policy lets no foreign script in.
  await page.evaluate(axe);
  const rules =
    scheme === "dark" ? { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } : {};
  const options = JSON.stringify({ ...rules, resultTypes: ["violations"] });
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`,
    );
}

/** The page is there, and nothing on it is still loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).or(page.getByText("Esta página no existe")).first().waitFor();
  await page.getByRole("status", { name: "Cargando" }).first().waitFor({ state: "detached" });
}
