import { pino } from 'pino';
import { expect, it } from 'vitest';
import { chooseMail } from '../../src/choose-mail.ts';

it.each([
  ['of one person at one machine', {}, true],
  ['with a Postgres of its own', { databaseUrl: 'postgres://db/relay' }, false],
  ['that others reach', { publicUrl: 'https://relay.example' }, false],
])('without a mail server the log of a relay %s has the link: %j %s', async (_whose, config, isPrinted) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const send = chooseMail({ mailFrom: 'Relay <relay@localhost>', ...config }, log);
  await send({ to: 'a@example.org', subject: 'Reset', text: 'https://relay/#trr_x' });
  expect(lines.join('')).toContain('a mail was not sent');
  expect(lines.join('').includes('trr_x')).toBe(isPrinted);
});
