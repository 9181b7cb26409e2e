import { defineScript } from '@tabletop-relay/cluster/redis/script';

/**
 * Registers an instance for 5 s.
 *
 * KEYS 1 the registered instances: a sorted set of boot ids by the Redis time in s of their last heartbeat
 * ARGV 1 boot
 * Answers the number of registered instances.
 */
export const HEARTBEAT = defineScript(`
local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. (now - 5))
redis.call('EXPIRE', KEYS[1], 60)
return redis.call('ZCARD', KEYS[1])
`);

/** Removes the registration of an instance. KEYS 1 the registered instances. ARGV 1 boot. */
export const LEAVE = defineScript(`
return redis.call('ZREM', KEYS[1], ARGV[1])
`);

/**
 * Replaces what an instance holds of a quota and grants it calls by the rule of `grantOf`.
 *
 * The quota's hash has a field per boot with the calls that it holds, '@window' with the window's id and, for a
 * persistent quota, '@total' with the calls that are settled in Postgres. An instance states all that it holds, so the
 * next request repairs one that was lost or executed twice. What a dead instance held of a persistent quota is
 * dropped, because the total contains what it had settled. What it held of a window stays until the window ends,
 * because it may have been spent.
 *
 * KEYS 1 the quota  2 the registered instances
 * ARGV 1 boot  2 the window id that it knows  3 held  4 the reserve within held  5 needed  6 wanted  7 limit
 *      8 window length in ms (0: persistent)  9 settled total (-1: unknown)
 * Answers {granted, remaining, held, window id, ms until the window ends}, or nil when the quota is persistent and its
 * total unknown.
 */
export const RESERVE = defineScript(`
local boot, held, reserve = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local needed, wanted, total = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[9])
local persistent = ARGV[8] == '0'
local window = redis.call('HGET', KEYS[1], '@window')
if not window then
  if persistent and total < 0 then return nil end
  local t = redis.call('TIME')
  window = string.format('%.0f', t[1] * 1000000 + t[2])
  redis.call('HSET', KEYS[1], '@window', window)
  if not persistent then redis.call('PEXPIRE', KEYS[1], ARGV[8]) end
end
if persistent then
  if total > tonumber(redis.call('HGET', KEYS[1], '@total') or -1) then
    redis.call('HSET', KEYS[1], '@total', ARGV[9])
  end
  redis.call('EXPIRE', KEYS[1], 3600)
end
if ARGV[2] == window or redis.call('HEXISTS', KEYS[1], boot) == 0 then
  redis.call('HSET', KEYS[1], boot, ARGV[3])
else
  held = tonumber(redis.call('HGET', KEYS[1], boot))
end
local remaining = tonumber(ARGV[7])
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local field = fields[i]
  if field == '@window' then
  elseif persistent and field ~= '@total' and field ~= boot and not redis.call('ZSCORE', KEYS[2], field) then
    redis.call('HDEL', KEYS[1], field)
  else
    remaining = remaining - fields[i + 1]
  end
end
local granted = math.max(0, remaining)
if remaining > needed then
  local n = math.max(1, redis.call('ZCARD', KEYS[2]))
  local share = math.floor((remaining - needed + reserve) / (8 * n))
  granted = needed + math.max(0, math.min(wanted, share - reserve))
end
if granted > 0 then redis.call('HINCRBY', KEYS[1], boot, granted) end
local ttl = persistent and 0 or redis.call('PTTL', KEYS[1])
return {granted, math.max(0, remaining - granted), held + granted, window, ttl}
`);

/**
 * Counts one event. The window begins with the first.
 *
 * KEYS 1 the count
 * ARGV 1 window length in ms
 * Answers {count with this event, ms until the window ends}.
 */
export const HIT = defineScript(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
`);
