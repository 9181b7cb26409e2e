-- The user of the tabletop as whom a credential acts, by the id of the world. Then it reaches the worlds of this map alone, and its list
-- of worlds stays empty: to a release that does not know of the map such a credential reaches no world, instead of acting as the
-- game master there. Null: it is bound to no user.
alter table api_keys
  add column acting_user_ids jsonb,
  add constraint api_keys_acting_users
    check (acting_user_ids is null or (client_ids is not null and client_ids = '{}')) not valid;
alter table key_requests
  add column suggested_acting_user_ids jsonb,
  add column granted_acting_user_ids jsonb,
  add constraint key_requests_acting_users check (
    granted_acting_user_ids is null or (granted_client_ids is not null and granted_client_ids = '{}')
  ) not valid;
alter table connection_tokens
  add column acting_user_ids jsonb,
  add constraint connection_tokens_acting_users
    check (acting_user_ids is null or allowed_target_clients = '{}') not valid;
