/** What we use of it; it comes without types. */
declare module "fontkit" {
  /** A read font. pdfkit takes it where its types want bytes. */
  export type Typeface = Uint8Array & { layout(text: string, features?: readonly string[]): object };
  export function create(bytes: Uint8Array): Typeface;
}
