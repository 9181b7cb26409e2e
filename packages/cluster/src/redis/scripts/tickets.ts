import { defineScript } from '../connection.ts';

/**
 * Uses a ticket.
 *
 * KEYS 1 the ticket: a hash of `note`, `proof` and `before` (the proofs of the last use and of the one before), and `turn`
 * ARGV 1 proof that is shown  2 proof of this use  3 how long who used it may be away, in ms
 * Answers the note and the number of this use; or nothing where the ticket is unknown, or used and the proof is wrong.
 */
export const USE_TICKET = defineScript(`
local t = redis.call('HMGET', KEYS[1], 'note', 'proof', 'before')
if not t[1] then return false end
if t[2] and ARGV[1] ~= t[2] and ARGV[1] ~= t[3] then return false end
redis.call('HSET', KEYS[1], 'proof', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if t[2] then redis.call('HSET', KEYS[1], 'before', ARGV[1]) end
return {t[1], redis.call('HINCRBY', KEYS[1], 'turn', 1)}
`);

/** Keeps a ticket that is not used yet. KEYS 1 the ticket. ARGV 1 note  2 how long, in ms. */
export const ISSUE_TICKET = defineScript(`
redis.call('HSET', KEYS[1], 'note', ARGV[1])
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/** Keeps used tickets. KEYS the tickets. ARGV 1 how long, in ms. Answers the turn of each as text, or nothing where it has none. */
export const KEEP_TICKETS = defineScript(`
local turns = {}
for i, ticket in ipairs(KEYS) do
  redis.call('PEXPIRE', ticket, ARGV[1])
  turns[i] = redis.call('HGET', ticket, 'turn')
end
return turns
`);
