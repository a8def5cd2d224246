-- What a person said was dealt with stays closed while it reads the same, however often a register uploads its cause again.
alter table fiscal_findings add column acknowledged boolean not null default false;
create index fiscal_findings_acknowledged on fiscal_findings (account_id, kind, subject) where acknowledged;
