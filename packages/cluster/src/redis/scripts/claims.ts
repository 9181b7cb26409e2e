import { keys } from '../keys.ts';
import { defineScript } from '../connection.ts';
import { wholeMs } from '../../standbys.ts';
import { isAsserting } from './lease.ts';
import { tellStandbys } from './standbys.ts';

/**
 * Makes a conn the owner of a client, unless another conn is the owner and may stay.
 *
 * The higher epoch wins. A newcomer takes a lapsed claim only when it names that claim as dead, by its boot id and the
 * time of its last confirmation. The time is needed because the instance may have come back since it was found dead: it
 * then asserted its claims again, and may have a hold by now. An epoch is Redis time in microseconds, so that epochs
 * grow even after Redis lost its data.
 *
 * A claim that is asserted again where none stands gets a new epoch. Others may have had the client meanwhile and have gone,
 * and one of them may assert its claim too, which has a higher epoch: of these the first stays, and the others are told.
 *
 * A newcomer that brings the handover which the owner offers takes the client at once, and the owner is told on its
 * command channel: in the same script, so that every command published before reaches it before the news. The new
 * claim has no handover, so that one opens one claim.
 *
 * A standby leaves a client alone that is expected back, until its claim is `open` to standbys, and one that nobody has where Redis was
 * emptied a moment ago: its owner lives, and acts until it hears otherwise. `left` says of the conn before
 * until when, in ms, its events are whole, or that it is still 'writing' them.
 *
 * KEYS 1 the claim on the client
 * ARGV 1 boot  2 conn  3 epoch (0: newcomer)  4 dead claim: boot, confirmed  5 accountId  6 meta  7 ttl in ms
 *      8 digest of the handover that a newcomer brings  9 digest of the handover that an owner offers; each may be ''
 *      10 time in ms in which the conn before this one may still append events that it brought  11 '1': a standby claims
 * Answers {'mine', epoch}, or {'held' | 'lapsed', boot, conn, confirmed, lease value} of the incumbent.
 */
export const CLAIM = defineScript(`${isAsserting}
local o = redis.call('HMGET', KEYS[1], 'boot', 'conn', 'epoch', 'moving', 'seen', 'handover', 'prev', 'before',
  'beforeUntil', 'away', 'open', 'left')
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
local isStandby = ARGV[11] == '1'
local isFree = o[4] and not (isStandby and not (o[11] and at >= tonumber(o[11])))
local same = o[2] == ARGV[2]
local old = tonumber(o[3] or '0')
local epoch = tonumber(ARGV[3])
local handed = o[6] and o[6] == ARGV[8]
local hasLapsed = false
if isStandby and not o[1] and isAsserting() then return {'held', '', '', '', ''} end
if o[1] and not same and old >= epoch and not isFree and not handed then
  local live = redis.call('GET', '${keys.lease('')}' .. o[1])
  if o[4] then return {'held', o[1], o[2], o[5], live or ''} end
  hasLapsed = not live
  if live or ARGV[4] ~= o[1] .. ' ' .. o[5] then return {live and 'held' or 'lapsed', o[1], o[2], o[5], live or ''} end
end
if same then
  epoch = old
elseif epoch == 0 or epoch <= old or not o[1] then
  epoch = math.max(t[1] * 1000000 + t[2], old + 1)
end
local text = string.format('%.0f', epoch)
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'boot', ARGV[1], 'conn', ARGV[2], 'epoch', text, 'acct', ARGV[5], 'meta', ARGV[6],
  'seen', string.format('%d.%06d', t[1], t[2]))
if ARGV[9] ~= '' then redis.call('HSET', KEYS[1], 'handover', ARGV[9]) end
if same then
  if o[7] then redis.call('HSET', KEYS[1], 'prev', o[7]) end
  if o[8] then redis.call('HSET', KEYS[1], 'before', o[8], 'beforeUntil', o[9]) end
  if o[10] then redis.call('HSET', KEYS[1], 'away', o[10]) end
elseif handed or (o[4] and o[12] == 'writing') then
  redis.call('HSET', KEYS[1], 'prev', o[2], 'before', o[2],
    'beforeUntil', string.format('%.0f', t[1] * 1000 + ARGV[10]))
elseif o[4] or (isStandby and hasLapsed) then
  redis.call('HSET', KEYS[1], 'prev', o[2])
  if not (o[12] and at < tonumber(o[12])) then redis.call('HSET', KEYS[1], 'away', '1') end
end
redis.call('PEXPIRE', KEYS[1], ARGV[7])
if handed and not same then
  local client = string.sub(KEYS[1], ${keys.owner('').length + 1})
  local news = cjson.encode({kind = 'superseded', clientId = client, conn = o[2]}) .. '\\n'
  redis.call('PUBLISH', '${keys.commands('')}' .. o[1], news)
end
return {'mine', text}
`);

/**
 * Confirms claims that Redis still has as their owner knows them: the cheap way to assert many again.
 *
 * KEYS the claims on the clients
 * ARGV 1 ttl in ms, then for each key: conn, epoch, digest of the handover that is offered or ''
 * Answers the places, from 1, of the claims that are otherwise and must be asserted by CLAIM.
 */
export const CONFIRM = defineScript(`
local t = redis.call('TIME')
local seen = string.format('%d.%06d', t[1], t[2])
local others = {}
for i, own in ipairs(KEYS) do
  local o = redis.call('HMGET', own, 'conn', 'epoch', 'handover', 'moving')
  local at = 3 * i - 1
  if o[1] == ARGV[at] and o[2] == ARGV[at + 1] and (o[3] or '') == ARGV[at + 2] and not o[4] then
    redis.call('HSET', own, 'seen', seen)
    redis.call('PEXPIRE', own, ARGV[1])
  else
    others[#others + 1] = i
  end
end
return others
`);

/**
 * Offers a client to the newcomer that brings a handover.
 *
 * KEYS 1 the claim on the client
 * ARGV 1 conn  2 digest of the handover
 * Answers 1, or 0 when another conn owns the client.
 */
export const OFFER = defineScript(`
if redis.call('HGET', KEYS[1], 'conn') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'handover', ARGV[2])
return 1
`);

/**
 * Releases the claim of a conn.
 *
 * Has no effect when another conn owns the client. Never shortens the time of a moving client: commands that were in
 * flight or a repeated release may ask for that.
 *
 * Tells the standbys of the client where they may have it at once.
 *
 * KEYS 1 the claim on the client  2 its waiting list
 * ARGV 1 conn  2 time in ms that the client has to come back (0: the claim is deleted)  3 time in ms after which a standby may
 *      have it  4 what of its events is left: 'whole', 'writing' or 'unknown'
 * Answers 1 when it had an effect, else 0.
 */
export const RELEASE = defineScript(`${tellStandbys}
local o = redis.call('HMGET', KEYS[1], 'conn', 'moving')
if o[1] ~= ARGV[1] then return 0 end
if o[2] and redis.call('PTTL', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '0' then tellStandbys(KEYS[2], string.sub(KEYS[1], ${keys.owner('').length + 1})) end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('HSET', KEYS[1], 'moving', '1', 'open', string.format('%.0f', at + ARGV[3]))
if ARGV[4] == 'whole' then
  redis.call('HSET', KEYS[1], 'left', string.format('%.0f', at + ${wholeMs}))
elseif ARGV[4] == 'writing' then
  redis.call('HSET', KEYS[1], 'left', 'writing')
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/**
 * Finds which clients are online.
 *
 * KEYS the claims on the clients
 * Answers for each {accountId, meta, moving}, or {} when no instance with a lease owns it and it is not moving; one more {'asserting'}
 * where one has no claim and Redis was emptied a moment ago.
 */
export const FIND = defineScript(`
local live, found, unknown = {}, {}, false
for i, own in ipairs(KEYS) do
  local o = redis.call('HMGET', own, 'boot', 'acct', 'meta', 'moving')
  local boot = o[1]
  if boot and live[boot] == nil then live[boot] = redis.call('EXISTS', '${keys.lease('')}' .. boot) == 1 end
  unknown = unknown or not boot
  found[i] = boot and (o[4] or live[boot]) and {o[2], o[3], o[4] or ''} or {}
end
${isAsserting}
if unknown and isAsserting() then found[#KEYS + 1] = {'asserting'} end
return found
`);
