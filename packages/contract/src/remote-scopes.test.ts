import { expect, test } from 'vitest';
import { endpoints } from './endpoints/index.ts';
import { operations } from './operations/index.ts';
import { remoteScopeNames } from './remote-scopes.ts';

test('every operation may be allowed between worlds, and nothing that only the relay answers', () => {
  for (const { name, scope } of operations) expect(remoteScopeNames, name).toContain(scope);
  const own = Object.values(endpoints).map((endpoint) => (endpoint as { scope?: string }).scope);
  for (const scope of own) expect(remoteScopeNames).not.toContain(scope);
});
