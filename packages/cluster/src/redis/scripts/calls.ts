import { keys } from '../keys.ts';
import { defineScript } from '../script.ts';

/**
 * Looks up the owners of clients and publishes their commands, joined into one message per owner.
 *
 * KEYS the claims on the clients
 * ARGV for each key: accountId, expiry (Redis time in ms), the command's frame after its epoch
 * Answers for each key the boot id that it was published to, or
 *   'none'     no instance owns the client, or another account does
 *   'moving'   the client is moving between instances
 *   'lapsed'   the owner's lease ended, and the claim was confirmed within the last 60 s; an older claim is 'none'
 *   'deaf'     the owner has a lease and no subscription; by NUMSUB, because PUBLISH counts pattern subscribers too
 *   'expired'  the command's expiry is over
 */
export const ROUTE = defineScript(`
local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
local states, frames, answers = {}, {}, {}
for i, own in ipairs(KEYS) do
  local o = redis.call('HMGET', own, 'boot', 'epoch', 'acct', 'seen', 'moving')
  local boot = o[1]
  if not boot or o[3] ~= ARGV[3 * i - 2] then
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
      local rest = ARGV[3 * i]
      local frame = struct.pack('>I4Bd', #rest + 9, 1, tonumber(o[2])) .. rest
      if frames[boot] then table.insert(frames[boot], frame) else frames[boot] = {frame} end
      answers[i] = boot
    else
      answers[i] = state
    end
  end
end
for boot, list in pairs(frames) do redis.call('PUBLISH', '${keys.commands('')}' .. boot, table.concat(list)) end
return answers
`);

/**
 * Checks instances.
 *
 * ARGV boot ids
 * Answers for each 2 (has a lease and listens), 1 (has a lease and does not listen) or 0 (has no lease).
 */
export const WATCH = defineScript(`
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
