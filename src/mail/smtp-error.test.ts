import { expect, test } from "vitest";
import { isUnknownRecipient, withoutAddresses } from "./smtp-error.ts";

/** As nodemailer reports a recipient that was refused. */
function refused(responseCode: number, response: string): Error {
  const own = Object.assign(new Error(`Recipient command failed: ${response}`), { responseCode, response });
  return Object.assign(new Error("Can't send mail - all recipients were rejected"), { rejectedErrors: [own] });
}

test.each([
  [550, "550 5.1.1 <ana@example.com> User unknown"],
  [550, "550-5.1.1 The email account that you tried to reach does not exist"],
  [556, "556 5.1.10 Null MX"],
  [550, "550 5.2.1 Mailbox disabled"],
  [550, "550 No such user here"],
])("%i %s: this mailbox does not exist", (code, response) => {
  expect(isUnknownRecipient(refused(code, response))).toBe(true);
});

test.each([
  [450, "450 4.2.1 Try again later"],
  [452, "452 4.2.2 Mailbox full"],
  [550, "550 5.7.1 Relaying denied"],
  [554, "554 5.7.1 Message rejected as spam"],
  [550, "550 Relay access denied"],
  [552, "552 5.2.2 Over quota"],
])("%i %s: it may go another time", (code, response) => {
  expect(isUnknownRecipient(refused(code, response))).toBe(false);
});

test("an error that is not about the recipient never is", () => {
  expect(isUnknownRecipient(Object.assign(new Error("Invalid login: 535 5.7.8"), { responseCode: 535 }))).toBe(false);
  expect(isUnknownRecipient(new Error("connect ECONNREFUSED"))).toBe(false);
});

test("no address is left in what a server said", () => {
  const said = "550 5.1.1 <ana.lópez+x@example.com>: no such user 'b@c.co', RCPT TO=eva@mañana.co";
  expect(withoutAddresses(said)).toBe("550 5.1.1 <(correo)>: no such user '(correo)', RCPT TO=(correo)");
});
