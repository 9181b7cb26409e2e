import { StartError } from '@tabletop-relay/database';
import { expect, test } from 'vitest';
import { explain } from './explain.ts';

const failed = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

test.each<[Error, string]>([
  [new StartError('set DATABASE_URL'), 'set DATABASE_URL'],
  [
    failed("EACCES: permission denied, mkdir '/srv/relay'"),
    'it lacks the permission to write there (/srv/relay)',
  ],
  [
    failed("EROFS: read-only file system, open '/mnt/x'"),
    'it may not write there: the file system is read-only (/mnt/x)',
  ],
  [failed('ENOSPC: no space left on device, write'), 'the disk is full'],
  [failed('could not extend file: No space left on device', { code: '53100' }), 'the disk is full'],
  [
    failed('listen EADDRINUSE', { code: 'EADDRINUSE', syscall: 'listen', port: 3011 }),
    'port 3011 is in use; set PORT or DEMO_PORT to another',
  ],
  [
    failed('listen EACCES', { code: 'EACCES', syscall: 'listen', port: 80 }),
    'port 80 needs rights that this user lacks; set PORT or DEMO_PORT above 1023',
  ],
  [
    failed('permission denied for schema public', { severity: 'ERROR', code: '42501' }),
    'Postgres refused it: permission denied for schema public (42501). Correct DATABASE_URL or MIGRATE_DATABASE_URL, or the rights of their roles.',
  ],
  [failed('spawn pnpm ENOENT'), 'pnpm is not there: start with `npx -y pnpm@10.34.9 start`'],
])('what a person can mend is told in words: %s', (error, words) => {
  expect(explain(error)).toBe(words);
});

test('a bug is told with its stack', () => {
  expect(explain(new TypeError('x is not a function'))).toMatch(/TypeError: x is not a function\n +at /);
});
