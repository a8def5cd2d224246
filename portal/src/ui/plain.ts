/** Messages mark code with `backticks`, for programs' readers; here they are only quotes. */
export function plain(message: string): string {
  return message.replace(/los segundos de `Retry-After`/g, "un momento").replace(/`([^`]+)`/g, "«$1»");
}
