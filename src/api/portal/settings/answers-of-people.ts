import type { Config } from "../../../config.ts";
import type { AboutPerson } from "./about-person.ts";
import type { Account } from "./account.ts";
import type { PeopleOfBusiness } from "./people.ts";

/** What the routes of people, invitations and sign-ups answer with. */
export interface AnswersOfPeople {
  "GET /people": { object: "list" } & PeopleOfBusiness;
  "GET /sign-ups": { who: Config["signUp"] };
  "POST /sign-ups": { sign_up_id: string; expires_at: Date };
  "POST /invitation-looks": { business: string; email: string; role: string; is_known: boolean };
}

export interface CurrentSession extends AboutPerson {
  id: string;
  account: Pick<Account, "id" | "name" | "email" | "plan">;
  has_pro: boolean;
  /** Whether its person must add a second step before anything else. */
  must_enrol: boolean;
  environment: Config["environment"];
  /** Where a test installation keeps its mail. */
  mailbox: string | null;
  server_time: Date;
}
