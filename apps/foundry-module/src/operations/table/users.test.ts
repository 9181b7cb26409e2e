import { afterEach, expect, test, vi } from 'vitest';
import type { FoundryDocument } from '../../tabletop/documents.ts';
import { assertRemovable, assertRole } from './users.ts';

afterEach(() => void vi.unstubAllGlobals());

const user = (id: string, role: number) => ({ id, name: id, role }) as unknown as FoundryDocument;
const [ada, ben, dora] = [user('ada', 4), user('ben', 4), user('dora', 1)];

function tableOf(...users: FoundryDocument[]): void {
  vi.stubGlobal('game', { user: ada, users });
}
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

test('who sits at the browser stays, and so does the last game master', () => {
  tableOf(ada, ben, dora);
  expect(() => assertRemovable(ada)).toThrow(code('not_supported'));
  expect(() => assertRemovable(ben)).not.toThrow();
  vi.stubGlobal('game', { user: dora, users: [ben, dora] });
  expect(() => assertRemovable(ben)).toThrow(code('last_game_master'));
});

test('the last game master is not made less, by whatever operation', () => {
  tableOf(ada, dora);
  expect(() => assertRole(ada, { role: 3 })).toThrow(code('last_game_master'));
  for (const changes of [{ role: '3' }, { role: null }, { '-=role': null }, { '==role': 1 }])
    expect(() => assertRole(ada, changes)).toThrow(code('last_game_master'));
  for (const changes of [{ role: 4 }, { role: '4' }, { name: 'Ada' }, {}])
    expect(() => assertRole(ada, changes)).not.toThrow();
  expect(() => assertRole(dora, { role: 0 })).not.toThrow();
  tableOf(ada, ben);
  expect(() => assertRole(ada, { role: 1 })).not.toThrow();
});
