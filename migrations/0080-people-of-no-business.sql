-- Since when a person belongs to no business, as far as housekeeping has seen: after the operator's term nothing of hers stays.
alter table people add column alone_since timestamptz(3);
create index people_alone on people (alone_since) where alone_since is not null;
-- Of a business with many people, those whom it told of something of one who left.
create index security_notices_made on security_notices (created_at);
