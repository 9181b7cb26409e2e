import { keys } from '../keys.ts';
import { defineScript } from '../connection.ts';
import { isAsserting } from './lease.ts';

/**
 * Waiting lists are hashes by conn, of texts that begin with the boot of the conn's instance and a space. An entry counts as long
 * as that instance has its lease.
 */
export const tellStandbys = `
local function tellStandbys(list, client)
  local told = {}
  for _, entry in ipairs(redis.call('HVALS', list)) do
    local boot = string.match(entry, '^%S+')
    if not told[boot] then
      told[boot] = true
      redis.call('PUBLISH', '${keys.commands('')}' .. boot, cjson.encode({kind = 'vacant', clientId = client}) .. '\\n')
    end
  end
end
`;

/**
 * Puts a conn on the waiting list of a client, without those whose instances have gone.
 *
 * KEYS 1 the waiting list  ARGV 1 conn  2 entry  3 most  4 ttl in ms
 * Answers 1, or 0 when the list is full.
 */
export const JOIN = defineScript(`
local count = 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if redis.call('EXISTS', '${keys.lease('')}' .. string.match(all[i + 1], '^%S+')) == 0 then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then
    count = count + 1
  end
end
if count >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`);

/**
 * Looks for standbys whose turn it may be: nobody has the client, its owner has no lease, or it is left to them. Of an emptied Redis nothing
 * follows for a while.
 *
 * KEYS for each: the claim on the client, the waiting list  ARGV 1 ttl in ms, then for each: conn
 * Answers {places from 1 that may claim, places that are not on their list}.
 */
export const LOOK = defineScript(`${isAsserting}
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
local free, missing = {}, {}
for i = 1, #KEYS / 2 do
  local own, list = KEYS[2 * i - 1], KEYS[2 * i]
  if redis.call('HEXISTS', list, ARGV[i + 1]) == 0 then missing[#missing + 1] = i end
  redis.call('PEXPIRE', list, ARGV[1])
  local o = redis.call('HMGET', own, 'boot', 'moving', 'open')
  local isHeld = o[1] and redis.call('EXISTS', '${keys.lease('')}' .. o[1]) == 1
  if o[2] then isHeld = not (o[3] and at >= tonumber(o[3])) end
  if not o[1] then isHeld = isAsserting() end
  if not isHeld then free[#free + 1] = i end
end
return {free, missing}
`);

/** Lists who waits. KEYS the waiting lists. Answers for each {conn, entry, ...} of those whose instance has its lease. */
export const LIST = defineScript(`
local found = {}
for i, list in ipairs(KEYS) do
  found[i] = {}
  local all = redis.call('HGETALL', list)
  for j = 1, #all, 2 do
    if redis.call('EXISTS', '${keys.lease('')}' .. string.match(all[j + 1], '^%S+')) == 1 then
      table.insert(found[i], all[j])
      table.insert(found[i], all[j + 1])
    end
  end
end
return found
`);
