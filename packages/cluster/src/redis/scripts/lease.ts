import { defineScript } from '../script.ts';

/**
 * Lengthens a lease that never ended, and proves that this instance still listens.
 *
 * KEYS 1 r:live:<boot>  2 r:shards
 * ARGV 1 token of the lease  2 lease ms  3 fingerprint ttl ms  4 command channel  5 heartbeat frame
 * Answers {1, Redis time in ms} or {0, ...} when the lease ended or is not this token's: it never makes one, so a
 * renewal that reaches Redis late revives nothing.
 */
export const RENEW = defineScript(`
local t = redis.call('TIME')
local now = string.format('%.3f', t[1] * 1000 + t[2] / 1000)
redis.call('PUBLISH', ARGV[4], ARGV[5])
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {0, now} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return {1, now}
`);

/**
 * Takes a new lease, if this instance knows the same list of shards as the others.
 *
 * KEYS and ARGV as RENEW, with ARGV 6 the fingerprint of the shard list.
 * Answers {1, Redis time in ms} or {0, ...} when the fingerprint differs.
 */
export const TAKE = defineScript(`
local t = redis.call('TIME')
local now = string.format('%.3f', t[1] * 1000 + t[2] / 1000)
local known = redis.call('GET', KEYS[2])
if known and known ~= ARGV[6] then return {0, now} end
redis.call('SET', KEYS[2], ARGV[6], 'PX', ARGV[3])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return {1, now}
`);

/** KEYS 1 r:live:<boot>. ARGV 1 token. Ends the lease if it is this token's. */
export const GIVE_UP = defineScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);
