import { expect, it } from 'vitest';
import { auditRow } from './audit-record.ts';

it('an entry has the outcome and the actor that its event declares', () => {
  expect(
    auditRow({ event: 'login.failed', actor: 'anyone', accountId: 'a', ipAddress: '192.0.2.1' }),
  ).toEqual({
    event: 'login.failed',
    outcome: 'refused',
    actor: 'anyone',
    accountId: 'a',
    clientId: null,
    subjectId: null,
    ipAddress: '192.0.2.1',
    userAgent: '',
    detail: {},
  });
});

it('an entry of an event with several actors has the one that acted', () => {
  expect(
    auditRow({ event: 'api_key.revoked', actor: 'relay', detail: { why: 'exchanged twice' } }),
  ).toMatchObject({
    outcome: 'ok',
    actor: 'relay',
    detail: { why: 'exchanged twice' },
  });
});

it('an event that nobody declared cannot be recorded', () => {
  // @ts-expect-error the type refuses it as well
  expect(() => auditRow({ event: 'api_key.lost' })).toThrow('api_key.lost');
});
