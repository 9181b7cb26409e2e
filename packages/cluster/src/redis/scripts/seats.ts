import { defineScript } from '../connection.ts';

/**
 * Takes a seat in each hall, or in none. Of the seats of one name the latest turn has the place of the others. To find them all
 * seats of a hall are read, which are few: a hall is bounded.
 *
 * KEYS the halls: sorted sets of seats by the time at which they become free by themselves
 * ARGV 1 the seat  2 how long it is kept, in ms  then for each hall: number of seats  then, of a seat with a name, the name as
 * the start of its seats, and its turn
 * Answers 0, or the number of the first hall that is full, or -1 where a later turn is there.
 */
export const TAKE_SEAT = defineScript(`
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
local name, turn = ARGV[3 + #KEYS], tonumber(ARGV[4 + #KEYS])
local earlier = {}
local full = 0
for i, hall in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', hall, '-inf', at)
  local others = redis.call('ZCARD', hall)
  earlier[i] = {}
  for _, seat in ipairs(name and redis.call('ZRANGE', hall, 0, -1) or {}) do
    if string.sub(seat, 1, #name) == name then
      if tonumber(string.sub(seat, #name + 1)) > turn then return -1 end
      others = others - 1
      table.insert(earlier[i], seat)
    end
  end
  if full == 0 and others >= tonumber(ARGV[2 + i]) then full = i end
end
if full > 0 then return full end
for i, hall in ipairs(KEYS) do
  for _, seat in ipairs(earlier[i]) do redis.call('ZREM', hall, seat) end
  redis.call('ZADD', hall, at + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', hall, ARGV[2])
end
return 0
`);

/**
 * Keeps seats that are taken, also in a Redis that lost them. KEYS a hall for each seat. ARGV 1 how long, in ms, then the
 * seats.
 */
export const KEEP_SEATS = defineScript(`
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
for i, hall in ipairs(KEYS) do
  redis.call('ZADD', hall, at + ARGV[1], ARGV[1 + i])
  redis.call('PEXPIRE', hall, ARGV[1])
end
return #KEYS
`);
