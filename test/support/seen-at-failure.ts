import { beforeEach } from "vitest";
import { openPages } from "./visitor.ts";

const mostShown = 1_500;

// A test that waited in vain for something on a page says what was there instead.
beforeEach(({ onTestFailed }) => {
  onTestFailed(async ({ task }) => {
    const error = task.result?.errors?.at(-1);
    if (!error) return;
    for (const page of await openPages()) {
      const seen = await page
        .evaluate<string>("document.activeElement?.outerHTML.slice(0, 200) + '\\n' + document.body.innerText")
        .catch((reason) => `not readable: ${reason}`);
      error.message += `\n--- ${page.url()}, its focus and its text:\n${seen.slice(0, mostShown)}`;
    }
  });
});
