import { expect, it, vi } from 'vitest';
import type { CredentialEvent } from '../../src/credentials/changes/credential-feed.ts';
import type { KeysByHash, Principal } from '../../src/keys/authenticate.ts';
import { noPauses } from '../../src/pauses/pauses.ts';
import { createWatchOpening } from '../../src/streams/watch-keys.ts';
import { createFakeFeed } from '../credentials/fake-feed.ts';

const principal = {
  accountId: 'own',
  keyId: 'key',
  scopes: new Set(['events:subscribe']),
  clientIds: null,
  pauses: noPauses,
} as unknown as Principal;
const event: Omit<CredentialEvent, 'id'> = {
  accountId: 'own', subject: 'key', subjectId: 'key', change: 'changed',
}; // prettier-ignore

function setUp() {
  const find = vi.fn<KeysByHash['find']>();
  const { feed, say } = createFakeFeed();
  const watchOpening = createWatchOpening({
    feed,
    keys: { hashOf: () => 'hash', find, renew: () => Promise.resolve(principal) },
  });
  const tell = (fields: Partial<CredentialEvent>) => say({ ...event, ...fields });
  return { find, tell, opening: watchOpening(principal) };
}

it.each<[string, Partial<CredentialEvent>]>([
  ['another account', { accountId: 'foreign', subject: 'account', subjectId: 'foreign' }],
  ['another key', { subjectId: 'another' }],
  ['a token', { subject: 'token' }],
  ['another world', { subject: 'client', subjectId: 'another', change: 'revoked' }],
])('the key of a stream that opens is not read again when %s changes', async (_what, fields) => {
  const { find, tell, opening } = setUp();
  tell(fields);
  expect(await opening.recheck(principal, 'world')).toBe(principal);
  expect(find).not.toHaveBeenCalled();
});

it('a change that comes while the key is read counts', async () => {
  const { find, tell, opening } = setUp();
  find.mockImplementationOnce(() => {
    tell({ change: 'revoked' });
    return Promise.resolve(principal);
  });
  find.mockRejectedValueOnce(new Error('revoked'));
  tell({});
  await expect(opening.recheck(principal, 'world')).rejects.toThrow('revoked');
});

it('what comes after the end is not kept', async () => {
  const { find, tell, opening } = setUp();
  opening.end();
  tell({});
  expect(await opening.recheck(principal, 'world')).toBe(principal);
  expect(find).not.toHaveBeenCalled();
});
