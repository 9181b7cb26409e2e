import { defineScript } from '../connection.ts';

/*
 * KEYS 1 the reservations of a group: a hash of JSON texts by name, whose field `/` counts their bytes
 *      2 their names, by the times at which they lapse
 *
 * A script that ends a reservation takes a token, and leaves that of another alone.
 */

const common = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function drop(name)
  redis.call('HINCRBY', KEYS[1], '/', -redis.call('HSTRLEN', KEYS[1], name))
  redis.call('HDEL', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end
local function kept(name)
  local lapses = redis.call('ZSCORE', KEYS[2], name)
  local text = redis.call('HGET', KEYS[1], name)
  if not text or not lapses or tonumber(lapses) <= now then return nil end
  return text
end
local function left(bytes) return bytes - (tonumber(redis.call('HGET', KEYS[1], '/')) or 0) end
local function put(name, text, lapses)
  redis.call('HINCRBY', KEYS[1], '/', #text - redis.call('HSTRLEN', KEYS[1], name))
  redis.call('HSET', KEYS[1], name, text)
  redis.call('ZADD', KEYS[2], lapses, name)
end
`;

/**
 * Reserves a name. Drops more lapsed ones than it adds, so that none stay.
 * ARGV 1 name  2 JSON of the reservation without times  3 how long it may run, in ms  4 how long it is kept, in ms
 *      5 most names  6 most bytes
 * Answers 0: full; or what is kept of the name, the time, and where the caller got it `new`, or `again` of what nobody knows the end.
 */
export const RESERVE = defineScript(`${common}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do drop(name) end
local text = kept(ARGV[1])
local made = cjson.decode(ARGV[2])
if text then
  local old = cjson.decode(text)
  local ends = old.state == 'unknown' or (old.state == 'running' and old['until'] <= now)
  if not ends or not made.memory or old.memory ~= made.memory then return {text, tostring(now)} end
  old.state = 'running'
  old.token = made.token
  old['until'] = now + ARGV[3]
  old.isRepeat = true
  text = cjson.encode(old)
  put(ARGV[1], text, redis.call('ZSCORE', KEYS[2], ARGV[1]))
  return {text, tostring(now), 'again'}
end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[5]) or left(tonumber(ARGV[6])) < #ARGV[2] then return 0 end
made.at = now
made['until'] = now + ARGV[3]
text = cjson.encode(made)
put(ARGV[1], text, now + ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return {text, tostring(now), 'new'}
`);

/**
 * Ends a reservation; one that is not there any more is made.
 * ARGV 1 name  2 JSON of the reservation without times  3 the same without its answer  4 how long it is kept, in ms
 *      5 most bytes
 */
export const SETTLE = defineScript(`${common}
local before = kept(ARGV[1])
local old = before and cjson.decode(before)
local made = cjson.decode(ARGV[2])
if old and old.token ~= made.token then return 0 end
if left(tonumber(ARGV[5])) + (before and #before or 0) < #ARGV[2] then made = cjson.decode(ARGV[3]) end
made.at = old and old.at or now
made['until'] = made.at
put(ARGV[1], cjson.encode(made), made.at + ARGV[4])
if not old then
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
end
return 1
`);

/** Frees a name; what was got again is unknown as before. ARGV 1 name  2 token */
export const FREE = defineScript(`${common}
local text = kept(ARGV[1])
local old = text and cjson.decode(text)
if not old or old.token ~= ARGV[2] then return 0 end
if old.isRepeat then
  old.state = 'unknown'
  put(ARGV[1], cjson.encode(old), redis.call('ZSCORE', KEYS[2], ARGV[1]))
else drop(ARGV[1]) end
return 1
`);

/** Forgets the names that have a part. ARGV 1 the part, between its slashes */
export const ERASE_PART = defineScript(`${common}
for _, name in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  if string.find('/' .. name .. '/', ARGV[1], 1, true) then drop(name) end
end
return 1
`);
