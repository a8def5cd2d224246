-- The counter: what a business tells its registers, who stands at them, and what they record besides the published sale.

-- `info` is the business as registers receive it, rendered when it changed; `seq` is that change's place in the feed.
create table counter_settings (
  account_id uuid primary key,
  seq bigint not null,
  info json not null,
  ticket_header text,
  ticket_footer text,
  color text,
  cash_rounding integer not null default 0,
  tip_percent integer not null default 0,
  blind_count boolean not null default false,
  updated_at timestamptz(3) not null
);

-- pin_hash: pbkdf2, because registers check the PIN themselves, offline. A retired cashier stays as a tombstone.
create table cashiers (
  account_id uuid not null,
  id uuid not null,
  seq bigint not null,
  name text not null,
  pin_hash text not null,
  permissions text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (account_id, id)
);
create index cashiers_seq on cashiers (account_id, seq);

-- payments: the means of a sale as JSON text; it publishes the largest. cashier_id: who rang it up. Both are private.
alter table sales add column payments text, add column cashier_id uuid;

-- Documents travel down to the register that made their sale, in the order of their changes.
create index invoices_seq on invoices (account_id, seq) where sale_id is not null;
