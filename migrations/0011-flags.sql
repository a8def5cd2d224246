-- What was odd in a register's upload that was applied all the same: one row per record, gone when it is uploaded in order.
create table flagged_records (
  account_id uuid not null,
  record_id uuid not null,
  type text not null,
  device_id uuid not null,
  device_seq bigint not null,
  found_at timestamptz(3) not null,
  findings json not null,
  primary key (account_id, record_id, type)
);
create index flagged_records_device on flagged_records (account_id, device_id, found_at);

-- sales.findings is read no more; it stays for a process of the version before that is still running.
insert into flagged_records (account_id, record_id, type, device_id, device_seq, found_at, findings)
select account_id, id, 'sale', device_id, device_seq, updated_at, findings from sales
where device_id is not null and json_array_length(findings) > 0;
