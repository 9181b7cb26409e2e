import { defineScript } from '@tabletop-relay/cluster/redis/script';

/**
 * An instance lives for 5 s more.
 *
 * KEYS 1 r:quota-instances (boots by the Redis time of their last word)
 * ARGV 1 boot
 * Answers how many live.
 */
export const BEAT = defineScript(`
local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. (now - 5))
redis.call('EXPIRE', KEYS[1], 60)
return redis.call('ZCARD', KEYS[1])
`);

/** KEYS 1 r:quota-instances. ARGV 1 boot. The instance lives no more. */
export const LEAVE = defineScript(`
return redis.call('ZREM', KEYS[1], ARGV[1])
`);

/**
 * Replaces what an instance holds of a budget, and grants what it asks. The hash has one field per boot with its
 * holding, '@window' and, for a lasting budget, '@total': what is settled in Postgres. Holdings are absolute, so
 * that a word lost or said twice is put right by the next. A dead instance's holding of a lasting budget is
 * dropped: what it had settled is in the total. A window's stays to its end, for it was spent.
 *
 * KEYS 1 r:quota:<budget>  2 r:quota-instances
 * ARGV 1 boot  2 the window it knows  3 held  4 reserve in it  5 needed  6 wanted  7 limit
 *      8 window ms (0: lasting)  9 settled total (-1: not known)
 * Answers {granted, left, held, window, ms to its end} or nil: a lasting budget whose total is not known.
 */
export const ENTER = defineScript(`
local boot, held, reserve = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local needed, wanted, total = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[9])
local lasting = ARGV[8] == '0'
local window = redis.call('HGET', KEYS[1], '@window')
if not window then
  if lasting and total < 0 then return nil end
  local t = redis.call('TIME')
  window = string.format('%.0f', t[1] * 1000000 + t[2])
  redis.call('HSET', KEYS[1], '@window', window)
  if not lasting then redis.call('PEXPIRE', KEYS[1], ARGV[8]) end
end
if lasting then
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
local left = tonumber(ARGV[7])
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local field = fields[i]
  if field == '@window' then
  elseif lasting and field ~= '@total' and field ~= boot and not redis.call('ZSCORE', KEYS[2], field) then
    redis.call('HDEL', KEYS[1], field)
  else
    left = left - fields[i + 1]
  end
end
local granted = math.max(0, left)
if left > needed then
  local n = math.max(1, redis.call('ZCARD', KEYS[2]))
  local share = math.floor((left - needed + reserve) / (8 * n))
  granted = needed + math.max(0, math.min(wanted, share - reserve))
end
if granted > 0 then redis.call('HINCRBY', KEYS[1], boot, granted) end
local ttl = lasting and 0 or redis.call('PTTL', KEYS[1])
return {granted, math.max(0, left - granted), held + granted, window, ttl}
`);

/**
 * KEYS 1 r:hits:<key>
 * ARGV 1 window ms
 * Answers {count, this one included, ms to the window's end}.
 */
export const HIT = defineScript(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
`);
