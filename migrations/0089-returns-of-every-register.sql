-- What a register took back of another one's sale travels down to that one: the feed reads returns of registers too.
create index concurrently if not exists returns_every_seq on returns (account_id, seq);
