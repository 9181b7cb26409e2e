import { defineScript } from '../script.ts';

/**
 * Takes a seat in each hall, or in none.
 *
 * KEYS the halls: sorted sets of seats by the time at which they become free by themselves
 * ARGV 1 the seat  2 how long it is kept, in ms  then for each hall: number of seats  then the seats in whose place it comes
 * Answers 0, or the number of the first hall that is full.
 */
export const TAKE_SEAT = defineScript(`
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000)
for i, hall in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', hall, '-inf', at)
  local others = redis.call('ZCARD', hall)
  for j = 3 + #KEYS, #ARGV do
    if redis.call('ZSCORE', hall, ARGV[j]) then others = others - 1 end
  end
  if others >= tonumber(ARGV[2 + i]) then return i end
end
for _, hall in ipairs(KEYS) do
  for j = 3 + #KEYS, #ARGV do redis.call('ZREM', hall, ARGV[j]) end
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
