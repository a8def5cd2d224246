/** Error messages reach the pages in an owner's words (lib/form-words.ts); texts from records may still have backticks. */
export function plainText(message: string): string {
  return message.replace(/`([^`]+)`/g, "«$1»");
}
