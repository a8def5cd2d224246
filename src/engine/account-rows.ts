import { plainArray } from "../db/arrays.ts";
import { ofAccounts, prepared, type Statement, unnested } from "../db/sql.ts";

/** A statement in two forms. Most are for one account, whose id is then not repeated for every row. */
export interface AccountForms {
  ofOne: string;
  ofSeveral: string;
}

/**
 * A statement that takes rows `r` from arrays, each with the clock `c` of its account: where tables are distributed, the
 * clock's row tells which shard the statement is for. The arrays are the parameters from $2 on, `last` is the last of them.
 */
export function forAccounts(
  select: string,
  { names, arrays, last, ending = "" }: { names: string; arrays: readonly string[]; last: number; ending?: string },
): AccountForms {
  const accounts = `$${last + 1}::uuid[]`;
  const where = `where ${ofAccounts("c")}${ending}`;
  return {
    ofOne: `${select} from account_clock c cross join ${unnested(...arrays)} as r(${names}) ${where}`,
    ofSeveral: `${select} from account_clock c join ${unnested(...arrays, accounts)} as r(${names}, account_id)
      on r.account_id = c.account_id ${where}`,
  };
}

/** The statement for these rows. `accounts` has the account of each. */
export function ofAccountRows(forms: AccountForms, accounts: readonly string[], values: readonly unknown[]): Statement {
  const each = [...new Set(accounts)];
  return each.length === 1
    ? prepared(forms.ofOne, [plainArray(each), ...values])
    : prepared(forms.ofSeveral, [plainArray(each), ...values, plainArray(accounts)]);
}
