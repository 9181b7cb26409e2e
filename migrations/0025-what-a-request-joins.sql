-- What a world that asks to be paired says of an earlier pairing: a clientId, and the random id of its installation. By
-- these, its world and its origin the account's world is found that it would join.
alter table pair_requests add column existing_client_id text not null default '';
alter table pair_requests add column server_fingerprint text not null default '';
-- The world that the person saw and approved; null: a new one. Without a reference, for it may be deleted meanwhile.
alter table pair_requests add column joins_client_id text;

-- A code that came of a request works in the page that the person was shown. Null: a code that a person types in.
alter table pairing_codes add column origin text;
