/** The colour for text on white: a business's colour, darkened until it can be read (a contrast of 4.5 to 1). */
export function legible(color: string): string {
  let parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  while (1.05 / (luminance(parts) + 0.05) < 4.5) parts = parts.map((part) => Math.floor(part * 0.9));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** As the web's accessibility guidelines define it. */
function luminance(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
