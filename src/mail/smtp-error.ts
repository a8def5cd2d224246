/** What nodemailer says of a mail that was not accepted. */
interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  rejectedErrors?: SmtpError[];
}

/**
 * Whether the server said that this mailbox does not exist: trying again is of no use, and harms the sender's name. A refusal
 * for other reasons (a relay that does not know us, a policy) is not the recipient's.
 */
export function isUnknownRecipient(error: SmtpError): boolean {
  const [refusal] = error.rejectedErrors ?? [];
  if (!refusal) return false;
  const { responseCode = 0, response = refusal.message } = refusal;
  if (responseCode < 500) return false;
  const enhanced = /\b5\.(\d{1,3})\.(\d{1,3})\b/.exec(response);
  if (enhanced) return enhanced[1] === "1" || enhanced.slice(1).join(".") === "2.1";
  return [550, 551, 553].includes(responseCode) && !/relay|policy|spam|block|denied/i.test(response);
}

/** A server quotes the recipient in its refusal, and buyers' addresses belong neither in a log nor in a table of errors. */
export function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>"'(),;:=[\]]+@[^\s<>"'(),;:[\]]+/g, "(correo)");
}
