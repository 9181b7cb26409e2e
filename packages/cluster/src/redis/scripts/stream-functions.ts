/**
 * Functions that the scripts of streams share.
 *
 * The head of a stream is a hash: `gen` (random, dies with the history), `n` (of the last entry), `src` and `seq` (the last
 * conn that brought an entry, and its number there), `on` (the conn by which the client is online, as listeners were told;
 * empty: offline; '?': not known yet), `bytes`, `first` and `firstAt` (size, number and time of what is kept) and `missed`
 * (since when the owner has been gone).
 *
 * Entries are kept as `packEntry` makes them. News of them are a message of the kind `news`.
 */
export const streamFunctions = `
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end
local function open(hm, h, newGen)
  local m = redis.call('HMGET', hm, 'gen', 'n', 'src', 'seq', 'on', 'bytes', 'first', 'firstAt')
  if not m[1] then redis.call('DEL', h) end
  return {gen = m[1] or newGen, isNew = not m[1], n = tonumber(m[2] or '0'), src = m[3] or '', seq = tonumber(m[4] or '0'),
    on = m[5] or '?', bytes = tonumber(m[6] or '0'), first = tonumber(m[7] or '1'), firstAt = tonumber(m[8] or '0'),
    news = {}, bodies = {}}
end
local function add(s, h, at, entry)
  s.n = s.n + 1
  redis.call('XADD', h, string.format('%.0f-0', s.n), 't', at, 'd', entry)
  s.bytes = s.bytes + #entry
  if s.first == s.n then s.firstAt = at end
  s.news[#s.news + 1] = {n = s.n, at = at, bytes = #entry}
  s.bodies[#s.bodies + 1] = entry
end
local function own(s, h, at, kind, body)
  add(s, h, at, cjson.encode({kind = kind, src = '', seq = 0}) .. '\\n' .. body)
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
  local head = cjson.encode({kind = 'news', gen = s.gen, entries = s.news})
  redis.call('PUBLISH', ev, head .. '\\n' .. table.concat(s.bodies))
end
local function beginAnew(s, h, newGen)
  redis.call('DEL', h)
  s.gen, s.n, s.bytes, s.first, s.isNew = newGen, 0, 0, 1, true
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
