import { expect } from "vitest";
import { faults, settled } from "./axe.ts";
import type { Visitor } from "./visitor.ts";

/** A phone, a tablet held both ways, and a desk. */
export const widths = [375, 768, 1024, 1440] as const;
/** Axe takes seconds on a small machine: one look a day for each page, in turns; `LONG=1` has them all. */
const looks = widths.flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));
const daily = [looks[6]!, looks[1]!];
let turn = 0;

/**
 * Opens a page and checks what every page owes its reader: no sideways scrolling at any width, no serious finding of axe in
 * either scheme.
 */
export async function expectSoundPage(owner: Visitor, path: string): Promise<void> {
  const { page } = owner;
  await owner.goto(path);
  await settled(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(() => page.evaluate("document.documentElement.scrollWidth"), {
        timeout: 20_000,
        message: `${path} at ${width}`,
      })
      .toBe(width);
  }
  for (const { width, scheme } of process.env.LONG ? looks : [daily[turn++ % 2]!]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await faults(page, scheme), `${path} at ${width}, ${scheme}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
