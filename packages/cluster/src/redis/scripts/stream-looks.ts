import { keys } from '../keys.ts';
import { defineScript } from '../connection.ts';
import { streamFunctions } from './stream-functions.ts';

/**
 * Says how many on an instance listen to streams, and tells listeners of clients whose owner has been gone for a while.
 *
 * The owner is told where the instance was not known to listen, or now has its first listener or none. How long the
 * owner has been gone is counted from the first look: a Redis that comes back has no lease of anybody.
 *
 * KEYS for each stream: the claim on the client, head, stream, channel of its news, its listeners
 * ARGV 1 boot  2 how long listeners count, in ms  3 events  4 bytes and  5 ms that are kept  6 how long an owner may be gone
 *      7 gen of a new stream  then for each stream: client, channel, number of listeners
 * Answers the heads, each with the boot of the owner behind it.
 */
export const CHECK = defineScript(`${streamFunctions}
local at = now()
local heads = {}
local function isServed(o)
  return o[1] and (o[3] or redis.call('EXISTS', '${keys.lease('')}' .. o[1]) == 1)
end
local function tellOwner(boot, client, channel, ears)
  local all, count, till = redis.call('HVALS', ears), 0, at
  for _, one in ipairs(all) do
    local c, u = string.match(one, '(%d+) (%d+)')
    if tonumber(u) > at then
      count = count + c
      till = math.max(till, tonumber(u))
    end
  end
  local news = {kind = 'listeners', clientId = client, channel = channel, count = count, forMs = till - at}
  redis.call('PUBLISH', '${keys.commands('')}' .. boot, cjson.encode(news) .. '\\n')
end
local function listen(o, client, channel, count, ears)
  local old = redis.call('HGET', ears, ARGV[1])
  redis.call('HSET', ears, ARGV[1], count .. ' ' .. string.format('%.0f', at + ARGV[2]))
  redis.call('PEXPIRE', ears, ARGV[2] + 1000)
  local oldCount, oldTill = string.match(old or '0 0', '(%d+) (%d+)')
  local isNews = tonumber(oldTill) <= at or (oldCount == '0') ~= (count == '0')
  if o[1] and isNews then tellOwner(o[1], client, channel, ears) end
end
for i = 1, #KEYS / 5 do
  local k, a = 5 * (i - 1), 7 + 3 * (i - 1)
  local o = redis.call('HMGET', KEYS[k + 1], 'boot', 'conn', 'moving')
  local s = open(KEYS[k + 2], KEYS[k + 3], ARGV[7])
  if isServed(o) then
    if not s.isNew then redis.call('HDEL', KEYS[k + 2], 'missed') end
    if s.on == '?' then s.on = o[2] end
  elseif s.on ~= '' then
    local missed = redis.call('HGET', KEYS[k + 2], 'missed')
    if not missed then redis.call('HSET', KEYS[k + 2], 'missed', at) end
    if missed and at - missed >= tonumber(ARGV[6]) then
      forgetEnded(s, KEYS[k + 3])
      own(s, KEYS[k + 3], at, 'offline', '')
      s.on = ''
    end
  end
  save(s, KEYS[k + 2], KEYS[k + 3], KEYS[k + 4], at, tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]))
  listen(o, ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], KEYS[k + 5])
  heads[i] = head(s)
  heads[i][6] = o[1] or ''
end
return heads
`);

/** Finds instances that have no lease. ARGV their boots. Answers the boots of those. */
export const GONE = defineScript(`
local gone = {}
for _, boot in ipairs(ARGV) do
  if redis.call('EXISTS', '${keys.lease('')}' .. boot) == 0 then gone[#gone + 1] = boot end
end
return gone
`);

/**
 * Counts the listeners of streams. KEYS their listeners.
 * Answers for each {number, ms for which they count; 0: none}.
 */
export const LISTENERS = defineScript(`${streamFunctions}
local at = now()
local found = {}
for i, ears in ipairs(KEYS) do
  local count, till = 0, at
  for _, one in ipairs(redis.call('HVALS', ears)) do
    local c, u = string.match(one, '(%d+) (%d+)')
    if tonumber(u) > at then
      count = count + c
      till = math.max(till, tonumber(u))
    end
  end
  found[i] = {count, till - at}
end
return found
`);
