import { auditWords, errors, operations, readParameters } from '@tabletop-relay/contract';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

test('the README’s example is this code, which compiles and does what it says', () => {
  // prettier-ignore
  const run = (console: { log(...said: unknown[]): void }) => {
const skillCheck = operations.find(({ name }) => name === 'skill-check')!;
const reading = readParameters(skillCheck, { query: { actorUuid: 'Actor.mira' }, body: { skill: 'prc' } });
const told = reading.ok ? reading.wire : `${errors.invalid_request.title}: ${reading.errors[0]?.field}`;
const { sentence } = auditWords({ event: 'api_key.created', outcome: 'ok', detail: { name: 'Overlay' } });
console.log(told, sentence);
  };
  const log = vi.fn<(...said: unknown[]) => void>();
  run({ log });
  const wire: unknown = expect.objectContaining({ actorUuid: 'Actor.mira', skill: 'prc' });
  expect(log.mock.calls).toEqual([[wire, 'The key “Overlay” was created.']]);
  const shown = /^```ts\n([\s\S]*?)^```$/m.exec(textOf('../README.md'))?.[1] ?? '';
  expect(shown).not.toBe('');
  for (const part of shown.split('\n\n')) expect(textOf('readme.test.ts')).toContain(part);
});
