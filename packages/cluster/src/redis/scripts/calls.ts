import { keys } from '../keys.ts';
import { defineScript } from '../connection.ts';
import { isAsserting } from './lease.ts';

/**
 * Looks up the owners of clients and publishes their commands, joined into one message per owner.
 *
 * KEYS the claims on the clients
 * ARGV for each key: accountId, expiry (Redis time in ms), the message of the call
 * Answers for each key the boot id that it was published to, or
 *   'none'     no instance owns the client, or another account does
 *   'asserting' no instance owns the client, and Redis was emptied a moment ago
 *   'moving'   the client is moving between instances
 *   'lapsed <boot>' the owner's lease ended, and the claim was confirmed within the last 60 s; an older claim is 'none'
 *   'deaf <boot>' the owner has a lease and no subscription; by NUMSUB, because PUBLISH counts pattern subscribers too
 *   'expired'  the command's expiry is over
 */
export const ROUTE = defineScript(`
local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
local states, owners, answers = {}, {}, {}
${isAsserting}
for i, own in ipairs(KEYS) do
  local o = redis.call('HMGET', own, 'boot', 'epoch', 'acct', 'seen', 'moving')
  local boot = o[1]
  if not boot and isAsserting() then
    answers[i] = 'asserting'
  elseif not boot or o[3] ~= ARGV[3 * i - 2] then
    answers[i] = 'none'
  elseif o[5] then
    answers[i] = 'moving'
  else
    local state = states[boot]
    if not state then
      if redis.call('EXISTS', '${keys.lease('')}' .. boot) == 0 then state = 'lapsed'
      elseif redis.call('PUBSUB', 'NUMSUB', '${keys.commands('')}' .. boot)[2] == 0 then state = 'deaf'
      else state = 'sent' end
      states[boot] = state
    end
    if state == 'lapsed' and t[1] - o[4] >= 60 then
      answers[i] = 'none'
    elseif state == 'sent' and tonumber(ARGV[3 * i - 1]) <= now then
      answers[i] = 'expired'
    elseif state == 'sent' then
      local call = ARGV[3 * i]
      local owner = owners[boot] or {calls = {}, bodies = {}}
      owners[boot] = owner
      table.insert(owner.calls, {epoch = o[2], bytes = #call})
      table.insert(owner.bodies, call)
      answers[i] = boot
    else
      answers[i] = state .. ' ' .. boot
    end
  end
end
for boot, owner in pairs(owners) do
  local head = cjson.encode({kind = 'calls', calls = owner.calls})
  redis.call('PUBLISH', '${keys.commands('')}' .. boot, head .. '\\n' .. table.concat(owner.bodies))
end
return answers
`);

/**
 * Tells which instances are gone. All askers share one look at all instances, which is repeated when the last is old
 * enough: so the cost of a watch does not grow with the number of instances.
 *
 * KEYS 1 the instances: by boot id '' (listens), the Redis time in ms since which it does not listen, or '!' and the
 *   time at which it was found without a lease; '@at' the time of the last look, '@gone' its result
 * ARGV 1 age of a look in ms that is still believed  2 ms without a subscription after which an instance is gone
 * Answers the boot ids of the instances that are gone, separated by spaces. One without a lease is forgotten after 10 s.
 */
export const WATCH = defineScript(`
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local last = redis.call('HMGET', KEYS[1], '@at', '@gone')
local age = now - tonumber(last[1] or 0)
if age >= 0 and age < tonumber(ARGV[1]) then return last[2] end
local gone = {}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local boot, before = fields[i], fields[i + 1]
  if string.sub(boot, 1, 1) ~= '@' then
    local state = ''
    if redis.call('EXISTS', '${keys.lease('')}' .. boot) == 0 then
      state = string.sub(before, 1, 1) == '!' and before or string.format('!%.0f', now)
      gone[#gone + 1] = boot
      if now - string.sub(state, 2) >= 10000 then
        redis.call('HDEL', KEYS[1], boot)
        state = before
      end
    elseif redis.call('PUBSUB', 'NUMSUB', '${keys.commands('')}' .. boot)[2] == 0 then
      state = tonumber(before) and before or string.format('%.0f', now)
      if now - state >= tonumber(ARGV[2]) then gone[#gone + 1] = boot end
    end
    if state ~= before then redis.call('HSET', KEYS[1], boot, state) end
  end
end
local answer = table.concat(gone, ' ')
redis.call('HSET', KEYS[1], '@at', string.format('%.0f', now), '@gone', answer)
return answer
`);

/**
 * Checks instances.
 *
 * ARGV boot ids
 * Answers for each 2 (has a lease and listens), 1 (has a lease and does not listen) or 0 (has no lease).
 */
export const CHECK = defineScript(`
local answers = {}
for i, boot in ipairs(ARGV) do
  if redis.call('EXISTS', '${keys.lease('')}' .. boot) == 0 then answers[i] = 0
  elseif redis.call('PUBSUB', 'NUMSUB', '${keys.commands('')}' .. boot)[2] == 0 then answers[i] = 1
  else answers[i] = 2 end
end
return answers
`);

/**
 * Publishes several messages.
 *
 * ARGV channel, message, channel, message, ...
 * Answers for each message how many subscribers its channel has. By NUMSUB, because PUBLISH counts those to a pattern
 * too, and a monitor would make it look heard. A message without a subscriber is not published.
 */
export const PUBLISH_ALL = defineScript(`
local heard = {}
for i = 1, #ARGV, 2 do
  local subscribers = redis.call('PUBSUB', 'NUMSUB', ARGV[i])[2]
  if subscribers > 0 then redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end
  heard[#heard + 1] = subscribers
end
return heard
`);
