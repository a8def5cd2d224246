-- A write adds what it counts to the totals of sales itself. What processes of before noted in sale_journal, and what they still note, is added from there, and an hour
-- later all days are counted again (src/operations/fills). The table and account_clock.journal_seq go when no process knows them.
insert into fills (name) select unnest(array['sale_notes', 'sale_sums']) where exists (select 1 from accounts)
on conflict (name) do update set position = null, rows_seen = 0, rows_changed = 0, finished_at = null;
