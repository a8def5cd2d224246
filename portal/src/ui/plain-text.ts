/** Error messages are written for developers, with `backticks` around code. Owners see quotation marks instead. */
export function plainText(message: string): string {
  return message.replace(/los segundos de `Retry-After`/g, "un momento").replace(/`([^`]+)`/g, "«$1»");
}
