-- One event may end all sessions of an account: `subject_id` is then the session that stays, or the account
-- itself where none does. An instance that does not know the change yet takes it for one of the whole account.
alter table credential_events drop constraint credential_events_change_check;
alter table credential_events add constraint credential_events_change_check
  check (change in ('revoked', 'changed', 'blocked', 'unblocked', 'sessions_ended'));

-- Key requests that nobody has decided belong to no account: they are counted together before one more is taken.
create index key_requests_open on key_requests (expires_at) where status = 'pending';
