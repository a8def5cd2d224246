-- What a passkey signs. Each is taken once, soon, and for what it was made for. A directory: who signs in is not known yet.
create table passkey_challenges (
  challenge text primary key,
  purpose text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index passkey_challenges_end on passkey_challenges (expires_at);
