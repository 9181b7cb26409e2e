import { count, milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';

/** How many passwords are hashed at the same time, and how long they may wait. */
export const passwordSettings = {
  argon2Running: count(
    1,
    'Passwords that are hashed at once, each in a thread of its own that takes 19 MiB. Leave at least one processor to the event loop: where as many hash as there are processors, the calls of others wait for them.',
  ),
  signInWaitMs: milliseconds(
    30_000,
    'Time within which a password that waits in line is looked at; else it is answered `overloaded`.',
    1_000,
  ),
};

export const passwordConstants = {
  /** With it the kernel gives the thread that hashes about a tenth of the time that it gives the event loop on the same core. */
  hashingNiceness: 10,
};

/** Passwords that may wait to be hashed. Over it the address that has most of them waiting loses one. */
const waiting = 1_000;

/** Passwords of one address that may wait; further ones are `overloaded`. Of an IPv6 /48 four times as many. */
const waitingPerAddress = 32;

export function readPasswordSettings(settings: SettingsOf<typeof passwordSettings>) {
  return {
    running: settings.argon2Running,
    waiting,
    waitingPerAddress,
    waitMs: settings.signInWaitMs,
  };
}
