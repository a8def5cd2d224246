import { writeFile } from "node:fs/promises";
import type { Browser } from "playwright-core";

/** Writes pictures at less than half of a PNG's size. The browser has the encoder, though it photographs as PNG or JPEG only. */
export async function webpWriter(browser: Browser): Promise<(png: Buffer, path: string) => Promise<void>> {
  const page = await browser.newPage();
  return async (png, path) => {
    const data = await page.evaluate<string>(`(async () => {
      const picture = new Image();
      picture.src = "data:image/png;base64,${png.toString("base64")}";
      await picture.decode();
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext("2d").drawImage(picture, 0, 0);
      const file = await canvas.convertToBlob({ type: "image/webp", quality: 0.6 });
      return btoa(Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""));
    })()`);
    await writeFile(path, Buffer.from(data, "base64"));
  };
}
