import type { Page } from "playwright-core";

/** The portal's lists and dialogs put the focus and the marked option in place a timer later; this one is set after theirs. */
export async function timersFired(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => setTimeout(done))");
}

/** Opens a list, goes down to one of its options and takes it, as somebody without a mouse does. */
export async function chooseWithKeys(page: Page, box: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: box }).focus();
  await page.keyboard.press("ArrowDown");
  const wished = page.getByRole("option", { name: option, exact: true });
  await wished.waitFor();
  await timersFired(page);
  for (let steps = 0; (await wished.getAttribute("data-combobox-selected")) === null; steps++) {
    if (steps > 50) throw new Error(`the keyboard does not reach ${option}`);
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}
