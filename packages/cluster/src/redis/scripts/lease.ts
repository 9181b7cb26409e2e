import { keys } from '../keys.ts';
import { defineScript } from '../connection.ts';

/** The Redis must have the id that this instance expects. Where it has none, the id is written only by whoever may. */
const readId = `
local id = redis.call('GET', KEYS[4]) or ''
local ours = ARGV[7] ~= '' and (id == ARGV[7] or (id == '' and ARGV[8] == '1'))
`;
const writeId = `if id == '' then redis.call('SET', KEYS[4], ARGV[7]) end`;

/** Long enough for an instance of many claims to make them again. */
const assertingMs = 10_000;

/**
 * Extends a lease that has not ended, and publishes a heartbeat that the instance must receive itself.
 *
 * Where the id is gone, Redis was emptied under instances that run: what is not claimed may be claimed again at any moment.
 *
 * It never makes a lease, so a renewal that reaches Redis late does not revive one.
 *
 * KEYS 1 the lease  2 the fingerprint of the shard list  3 the instances that WATCH looks at  4 the id of this Redis
 * ARGV 1 token of the lease  2 lease in ms  3 fingerprint ttl in ms  4 command channel  5 heartbeat frame  6 boot
 *      7 the id that this Redis must have  8 '1': where it has none, this is written  9 '1': this instance has had a lease
 * Answers {1, Redis time in ms, id}, or {0, Redis time, id} when the lease has ended or has another token, or when the id,
 * which is '' where there is none, is not that of ARGV 7.
 */
export const RENEW = defineScript(`
local t = redis.call('TIME')
local now = string.format('%.3f', t[1] * 1000 + t[2] / 1000)
redis.call('PUBLISH', ARGV[4], ARGV[5])
${readId}
if not ours then return {0, now, id} end
if id == '' and ARGV[9] == '1' then redis.call('SET', '${keys.asserting}', '1', 'PX', ${assertingMs}) end
${writeId}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {0, now, ARGV[7]} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('HSETNX', KEYS[3], ARGV[6], '')
return {1, now, ARGV[7]}
`);

/**
 * Takes a new lease, if this instance has the same shard list as the others.
 *
 * KEYS and ARGV 1 to 8 as for RENEW, and ARGV 9 the fingerprint of the shard list.
 * Answers {1, Redis time in ms, id}, or {0, Redis time, id} when the id or the fingerprint differs.
 */
export const TAKE = defineScript(`
local t = redis.call('TIME')
local now = string.format('%.3f', t[1] * 1000 + t[2] / 1000)
${readId}
if not ours then return {0, now, id} end
local known = redis.call('GET', KEYS[2])
if known and known ~= ARGV[9] then return {0, now, ARGV[7]} end
${writeId}
redis.call('SET', KEYS[2], ARGV[9], 'PX', ARGV[3])
redis.call('HSETNX', KEYS[3], ARGV[6], '')
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return {1, now, ARGV[7]}
`);

/** Lua function: whether claims may be missing that instances are about to make again. Until one of them has renewed, the id is gone. */
export const isAsserting = `local function isAsserting()
  return redis.call('EXISTS', '${keys.id}') == 0 or redis.call('EXISTS', '${keys.asserting}') == 1
end`;

/** Ends a lease with this token. KEYS 1 the lease. ARGV 1 token. */
export const GIVE_UP = defineScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);
