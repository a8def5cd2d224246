-- When a part of the installation did not do its work, for the status page. Of no business; a process of the version before writes nothing.
create table incidents (
  part text not null check (part in ('database', 'webhooks', 'documents', 'mail')),
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (part, started_at)
);
create unique index incidents_open on incidents (part) where ended_at is null;
