import { keys } from '../keys.ts';
import { defineScript } from '../script.ts';
import { kinds } from '../wire/frames.ts';
import { kindBytes } from '../../streams/entry-body.ts';

/**
 * Functions that the scripts of streams share.
 *
 * The head of a stream is a hash: `gen` (random, dies with the history), `n` (of the last entry), `src` and `seq` (the last
 * conn that brought an entry, and its number there), `on` (the conn by which the client is online, as listeners were told;
 * empty: offline; '?': not known yet), `bytes`, `first` and `firstAt` (size, number and time of what is kept) and `missed`
 * (since when the owner has been gone).
 *
 * News of a stream: gen (16 bytes), then for each entry n f64, time f64, length u32, and the entry as `packEntry` makes it.
 */
const shared = `
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end
local function open(hm, h, newGen)
  local m = redis.call('HMGET', hm, 'gen', 'n', 'src', 'seq', 'on', 'bytes', 'first', 'firstAt')
  if not m[1] then redis.call('DEL', h) end
  return {gen = m[1] or newGen, isNew = not m[1], n = tonumber(m[2] or '0'), src = m[3] or '', seq = tonumber(m[4] or '0'),
    on = m[5] or '?', bytes = tonumber(m[6] or '0'), first = tonumber(m[7] or '1'), firstAt = tonumber(m[8] or '0'), news = {}}
end
local function add(s, h, at, entry)
  s.n = s.n + 1
  redis.call('XADD', h, string.format('%.0f-0', s.n), 't', at, 'd', entry)
  s.bytes = s.bytes + #entry
  if s.first == s.n then s.firstAt = at end
  s.news[#s.news + 1] = struct.pack('>ddI4', s.n, at, #entry) .. entry
end
local function own(s, h, at, kind, body)
  add(s, h, at, struct.pack('>BBd', kind, 0, 0) .. body)
end
local function isKept(s, at, maxEvents, maxBytes, keptMs)
  return s.n - s.first < maxEvents and s.bytes <= maxBytes and s.firstAt >= at - keptMs
end
local function trim(s, h, at, maxEvents, maxBytes, keptMs)
  while s.first <= s.n and not isKept(s, at, maxEvents, maxBytes, keptMs) do
    local e = redis.call('XRANGE', h, '-', '+', 'COUNT', 2)
    if e[1] then
      redis.call('XDEL', h, e[1][1])
      s.bytes = s.bytes - #e[1][2][4]
    end
    s.first = e[2] and tonumber(string.match(e[2][1], '%d+')) or s.n + 1
    s.firstAt = e[2] and tonumber(e[2][2][2]) or at
    if not e[2] then s.bytes = 0 end
  end
end
local function save(s, hm, h, ev, at, maxEvents, maxBytes, keptMs)
  trim(s, h, at, maxEvents, maxBytes, keptMs)
  redis.call('HSET', hm, 'gen', s.gen, 'n', string.format('%.0f', s.n), 'src', s.src, 'seq', string.format('%.0f', s.seq),
    'on', s.on, 'bytes', s.bytes, 'first', string.format('%.0f', s.first), 'firstAt', s.firstAt)
  redis.call('PEXPIRE', hm, 86400000)
  if #s.news == 0 then return end
  redis.call('PEXPIRE', h, keptMs + 30000)
  redis.call('PUBLISH', ev, s.gen .. table.concat(s.news))
end
local function forgetEnded(s, h)
  if s.first <= s.n and redis.call('EXISTS', h) == 0 then
    s.first = s.n + 1
    s.bytes = 0
  end
end
local function head(s)
  return {s.gen, string.format('%.0f', s.n), s.on, s.src, string.format('%.0f', s.seq)}
end
`;

/**
 * Appends what a conn brought, if the conn owns the client or did until its successor claimed.
 *
 * It may be repeated: entries that the stream has are known by their numbers. Before the first entries of a conn it tells
 * that the client is online, unless the conn took over from the one that listeners know. Publishes last.
 *
 * KEYS 1 the claim on the client  2 head  3 stream  4 channel of its news
 * ARGV 1 conn  2 gen of a new stream  3 events  4 bytes and  5 ms that are kept  6 seq before these entries
 *      7 '1': the conn has ended  then for each entry: seq, entry
 * Answers 'appended', 'unowned', 'fenced' or 'wait'.
 */
export const APPEND = defineScript(`${shared}
local conn, at = ARGV[1], now()
local maxEvents, maxBytes, keptMs = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local o = redis.call('HMGET', KEYS[1], 'conn', 'prev', 'before', 'beforeUntil')
local s = open(KEYS[2], KEYS[3], ARGV[2])
local isOwner = o[1] == conn
if not isOwner and o[3] ~= conn and (o[1] or s.on ~= conn) then return o[1] and 'fenced' or 'unowned' end
if isOwner and o[3] and at < tonumber(o[4]) then return 'wait' end
forgetEnded(s, KEYS[3])
if s.isNew then
  s.src = conn
  s.seq = tonumber(ARGV[6])
end
if isOwner then
  if o[3] then
    redis.call('HDEL', KEYS[1], 'before', 'beforeUntil')
    own(s, KEYS[3], at, ${kindBytes.gap}, '')
  end
  if s.on ~= conn then
    if s.on ~= o[2] then
      if s.on ~= '' and s.on ~= '?' then own(s, KEYS[3], at, ${kindBytes.offline}, '') end
      own(s, KEYS[3], at, ${kindBytes.online}, '')
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
  own(s, KEYS[3], at, ${kindBytes.offline}, '')
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
export const APPEND_LOSS = defineScript(`${shared}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local s, at = open(KEYS[1], KEYS[2], ''), now()
forgetEnded(s, KEYS[2])
own(s, KEYS[2], at, ${kindBytes.gap}, ARGV[4])
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
 * Answers {head, entries as XRANGE gives them}.
 */
export const READ = defineScript(`${shared}
local s = open(KEYS[2], KEYS[3], ARGV[1])
if s.isNew then
  local o = redis.call('HMGET', KEYS[1], 'boot', 'conn', 'moving')
  if o[1] and (o[3] or redis.call('EXISTS', '${keys.lease('')}' .. o[1]) == 1) then s.on = o[2] end
  redis.call('HSET', KEYS[2], 'gen', s.gen, 'n', '0', 'on', s.on)
  redis.call('PEXPIRE', KEYS[2], 86400000)
end
if ARGV[4] == '1' then return {head(s), {}} end
local from = ARGV[2] == s.gen and string.format('%.0f', ARGV[3] + 1) or '-'
return {head(s), redis.call('XRANGE', KEYS[3], from, '+')}
`);

/**
 * Says how many on an instance listen to streams, and tells listeners of clients whose owner has been gone for a while.
 *
 * The owner is told where the instance was not known to listen, or now has its first listener or none. How long the
 * owner has been gone is counted from the first look: a Redis that comes back has no lease of anybody.
 *
 * KEYS for each stream: the claim on the client, head, stream, channel of its news, its listeners
 * ARGV 1 boot  2 how long listeners count, in ms  3 events  4 bytes and  5 ms that are kept  6 how long an owner may be gone
 *      7 gen of a new stream  then for each stream: client, channel, number of listeners
 * Answers the heads.
 */
export const CHECK = defineScript(`${shared}
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
  local news = struct.pack('>I4dI2', count, till - at, #client) .. client .. channel
  redis.call('PUBLISH', '${keys.commands('')}' .. boot, struct.pack('>I4B', 1 + #news, ${kinds.listeners}) .. news)
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
      own(s, KEYS[k + 3], at, ${kindBytes.offline}, '')
      s.on = ''
    end
  end
  save(s, KEYS[k + 2], KEYS[k + 3], KEYS[k + 4], at, tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]))
  listen(o, ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], KEYS[k + 5])
  heads[i] = head(s)
end
return heads
`);

/**
 * Counts the listeners of streams. KEYS their listeners.
 * Answers for each {number, ms for which they count; 0: none}.
 */
export const LISTENERS = defineScript(`${shared}
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
