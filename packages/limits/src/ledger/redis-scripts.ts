import { defineScript } from '@tabletop-relay/cluster/redis/connection';

/**
 * Registers an instance for 5 s.
 *
 * KEYS 1 the registered instances: a sorted set of boot ids by the Redis time in s of their last heartbeat
 *      2 the membership: a text that changes whenever an instance is added to that set or removed from it
 * ARGV 1 boot
 * Answers the number of registered instances.
 */
export const HEARTBEAT = defineScript(`
local t = redis.call('TIME')
local changes = redis.call('ZADD', KEYS[1], t[1], ARGV[1])
changes = changes + redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. (t[1] - 5))
redis.call('EXPIRE', KEYS[1], 60)
if changes > 0 then redis.call('SET', KEYS[2], t[1] .. '.' .. t[2]) end
redis.call('EXPIRE', KEYS[2], 60)
return redis.call('ZCARD', KEYS[1])
`);

/** Removes the registration of an instance. KEYS as for HEARTBEAT. ARGV 1 boot. */
export const LEAVE = defineScript(`
local t = redis.call('TIME')
if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 then redis.call('SET', KEYS[2], t[1] .. '.' .. t[2], 'EX', 60) end
return 1
`);

/**
 * Replaces what an instance holds of quotas and grants it calls by the rule of `grantOf`.
 *
 * A quota's hash has a field per boot with the calls that it holds, '@held' with their sum, '@window' with the window's
 * id and, for a persistent quota, '@total' with the calls that are settled in Postgres. The sum spares reading all
 * fields, so the cost does not depend on the number of instances. An instance states all that it holds, so the
 * next request repairs one that was lost or executed twice. What a dead instance held of a persistent quota is
 * dropped, because the total contains what it had settled: the fields are counted again when the membership is another
 * than '@members', which is the one of the last count. What it held of a window stays until the window ends, because it
 * may have been spent.
 *
 * KEYS 1 the registered instances  2 their membership  3... the quotas
 * ARGV 1 boot, then for each quota: the window id that it knows, held, the reserve within held, needed, wanted, limit,
 *      window length in ms (0: persistent), settled total (-1: unknown)
 * Answers for each quota {granted, remaining, held, window id, ms until the window ends}, or nil when the quota is
 * persistent and its total unknown.
 */
export const RESERVE = defineScript(`
local boot = ARGV[1]
local members = redis.call('GET', KEYS[2]) or ''
local instances = math.max(1, redis.call('ZCARD', KEYS[1]))

local function countAgain(quota)
  local sum, dead = 0, {}
  local fields = redis.call('HGETALL', quota)
  for i = 1, #fields, 2 do
    local field = fields[i]
    if string.sub(field, 1, 1) == '@' then
    elseif field == boot or redis.call('ZSCORE', KEYS[1], field) then sum = sum + fields[i + 1]
    else dead[#dead + 1] = field end
  end
  for _, field in ipairs(dead) do redis.call('HDEL', quota, field) end
  return sum
end

local function reserve(quota, known, held, reserved, needed, wanted, limit, length, total)
  local persistent = length == '0'
  local q = redis.call('HMGET', quota, '@window', '@held', '@total', '@members', boot)
  local window, sum, old = q[1], tonumber(q[2] or 0), tonumber(q[5] or 0)
  if not window then
    if persistent and total < 0 then return false end
    local t = redis.call('TIME')
    window = string.format('%.0f', t[1] * 1000000 + t[2])
  end
  if persistent and q[1] and q[4] ~= members then sum = countAgain(quota) end
  if known ~= window and q[5] then held = old end
  total = math.max(total, tonumber(q[3] or 0))
  sum = sum - old + held
  local remaining = limit - sum - (persistent and total or 0)
  local granted = math.max(0, remaining)
  if remaining > needed then
    local share = math.max(1, math.floor((remaining - needed + reserved) / (8 * instances)))
    granted = needed + math.max(0, math.min(wanted, share - reserved))
  end
  redis.call('HSET', quota, '@window', window, '@held', sum + granted, boot, held + granted)
  if persistent then
    -- An instance that is not registered may be dead by the next count, though the membership stays as it is.
    local counted = redis.call('ZSCORE', KEYS[1], boot) and members or 'unknown'
    redis.call('HSET', quota, '@total', total, '@members', counted)
    redis.call('EXPIRE', quota, 3600)
  elseif not q[1] then
    redis.call('PEXPIRE', quota, length)
  end
  local ttl = persistent and 0 or redis.call('PTTL', quota)
  return {granted, math.max(0, remaining - granted), held + granted, window, ttl}
end

local answers = {}
for i = 3, #KEYS do
  local a = 8 * (i - 3) + 1
  answers[i - 2] = reserve(KEYS[i], ARGV[a + 1], tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3]), tonumber(ARGV[a + 4]),
    tonumber(ARGV[a + 5]), tonumber(ARGV[a + 6]), ARGV[a + 7], tonumber(ARGV[a + 8]))
end
return answers
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
