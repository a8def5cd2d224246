import { expect } from "vitest";
import { faults, settled } from "./axe.ts";
import type { Visitor } from "./visitor.ts";

/** A phone, a tablet held both ways, and a desk. */
export const widths = [375, 768, 1024, 1440] as const;

/**
 * Opens a page and checks what every page owes its reader: no sideways scrolling at any width, no serious finding of axe in
 * either scheme, on a desk and on a phone.
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
  expect(await faults(page, "light"), path).toEqual([]);
  expect(await faults(page, "dark"), path).toEqual([]);
  await page.setViewportSize({ width: 375, height: 812 });
  expect(await faults(page, "light"), `${path} on a phone`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
}
