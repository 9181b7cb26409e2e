-- Failed sign-ins. An account is the HMAC of an e-mail address, which may belong to nobody; a source is an address
-- prefix or a known device. Empty: all of them together. From `next_at` on the next try is heard, and from `until` on
-- the count begins anew. Takes the place of login_failures, which older instances still write.
create table sign_in_failures (
  account_hmac bytea not null,
  source text not null,
  failures integer not null,
  next_at timestamptz not null,
  until timestamptz not null,
  primary key (account_hmac, source)
);
create index sign_in_failures_until on sign_in_failures (until);
