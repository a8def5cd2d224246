import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const script = readFileSync(new URL("layout-in-page.js", import.meta.url), "utf8");

/** From a desk to the narrowest phone. */
const widths = [1440, 1024, 768, 375, 320] as const;

/**
 * What is wrong with the page at any width: it scrolls sideways, something sticks out, a figure is broken over two lines, a
 * control cannot be reached, or one that a desk has is missing. The page is resized, not loaded again.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  // Through the debugger, because the page's content policy allows no foreign script.
  await page.evaluate(script);
  const faults: string[] = [];
  let atDesk: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate("layout.open(), layout.enlarge()");
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
    const controls = await page.evaluate<string[]>("layout.controls()");
    if (width === widths[0]) atDesk = controls;
    const missing = atDesk.filter((control) => !controls.includes(control)).map((control) => `missing: ${control}`);
    faults.push(
      ...[...missing, ...(await page.evaluate<string[]>("layout.faults()"))].map((fault) => `${width} px ${fault}`),
    );
  }
  await page.setViewportSize({ width: widths[0], height: 900 });
  return faults;
}
