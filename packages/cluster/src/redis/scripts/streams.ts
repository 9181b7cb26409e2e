import { keys } from '../keys.ts';
import { defineScript } from '../connection.ts';
import { streamFunctions } from './stream-functions.ts';

/**
 * Appends what a conn brought, if the conn owns the client or did until its successor claimed.
 *
 * It may be repeated: entries that the stream has are known by their numbers. Before the first entries of a conn it tells
 * that the client is online, unless the conn took over from the one that listeners know: where that one had gone already,
 * it tells of a gap. A stream that knows less of the conn than it had appended has lost entries, in a failover say, and
 * begins anew, so that listeners compare. Publishes last.
 *
 * KEYS 1 the claim on the client  2 head  3 stream  4 channel of its news
 * ARGV 1 conn  2 gen of a new stream  3 events  4 bytes and  5 ms that are kept  6 seq before these entries
 *      7 '1': the conn has ended  then for each entry: seq, entry
 * Answers 'appended', 'unowned', 'fenced' or 'wait'.
 */
export const APPEND = defineScript(`${streamFunctions}
local conn, at = ARGV[1], now()
local maxEvents, maxBytes, keptMs = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local o = redis.call('HMGET', KEYS[1], 'conn', 'prev', 'before', 'beforeUntil', 'away')
local s = open(KEYS[2], KEYS[3], ARGV[2])
local isOwner = o[1] == conn
if not isOwner and o[3] ~= conn and (o[1] or s.on ~= conn) then return o[1] and 'fenced' or 'unowned' end
if isOwner and o[3] and at < tonumber(o[4]) then return 'wait' end
forgetEnded(s, KEYS[3])
local base = tonumber(ARGV[6])
if not s.isNew and base > (s.src == conn and s.seq or 0) then beginAnew(s, KEYS[3], ARGV[2]) end
if s.isNew then
  s.src = conn
  s.seq = base
end
if isOwner then
  if o[3] then
    redis.call('HDEL', KEYS[1], 'before', 'beforeUntil')
    own(s, KEYS[3], at, 'gap', '')
  end
  if s.on ~= conn then
    if s.on ~= o[2] then
      if s.on ~= '' and s.on ~= '?' then own(s, KEYS[3], at, 'offline', '') end
      own(s, KEYS[3], at, 'online', '')
    elseif o[5] then
      own(s, KEYS[3], at, 'gap', '')
    end
    s.on = conn
  end
  redis.call('HDEL', KEYS[2], 'missed')
end
for i = 8, #ARGV, 2 do
  local seq = tonumber(ARGV[i])
  if s.src ~= conn or seq > s.seq then
    add(s, KEYS[3], at, ARGV[i + 1])
    s.src = conn
    s.seq = seq
  end
end
if ARGV[7] == '1' and s.on == conn then
  own(s, KEYS[3], at, 'offline', '')
  s.on = ''
end
save(s, KEYS[2], KEYS[3], KEYS[4], at, maxEvents, maxBytes, keptMs)
return 'appended'
`);

/**
 * Tells of entries that came too late. Without effect on a stream that is not there.
 *
 * KEYS 1 head  2 stream  3 channel of its news
 * ARGV 1 events  2 bytes and  3 ms that are kept  4 how many are missing, or ''
 */
export const APPEND_LOSS = defineScript(`${streamFunctions}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local s, at = open(KEYS[1], KEYS[2], ''), now()
forgetEnded(s, KEYS[2])
own(s, KEYS[2], at, 'gap', ARGV[4])
save(s, KEYS[1], KEYS[2], KEYS[3], at, tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]))
return 1
`);

/** The conn has appended all that it brought. KEYS 1 the claim on the client. ARGV 1 conn. */
export const FINISH = defineScript(`
if redis.call('HGET', KEYS[1], 'before') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'before', 'beforeUntil')
`);

/**
 * Reads a stream, and begins it where there is none.
 *
 * KEYS 1 the claim on the client  2 head  3 stream
 * ARGV 1 gen of a new stream  2 gen and  3 n behind which to read; '': everything  4 '1': the head alone
 * Answers {head, entries as XRANGE gives them, time}.
 */
export const READ = defineScript(`${streamFunctions}
local s = open(KEYS[2], KEYS[3], ARGV[1])
if s.isNew then
  local o = redis.call('HMGET', KEYS[1], 'boot', 'conn', 'moving')
  if o[1] and (o[3] or redis.call('EXISTS', '${keys.lease('')}' .. o[1]) == 1) then s.on = o[2] end
  redis.call('HSET', KEYS[2], 'gen', s.gen, 'n', '0', 'on', s.on)
  redis.call('PEXPIRE', KEYS[2], 86400000)
end
if ARGV[4] == '1' then return {head(s), {}, now()} end
local from = ARGV[2] == s.gen and string.format('%.0f', ARGV[3] + 1) or '-'
return {head(s), redis.call('XRANGE', KEYS[3], from, '+'), now()}
`);
