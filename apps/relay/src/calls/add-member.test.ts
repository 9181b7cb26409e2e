import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMember } from './command.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a command carries what the relay knows as a member', () => {
  const fields = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
  fc.assert(
    fc.property(fields, (values) => {
      delete values['traceparent'];
      const json = JSON.stringify(values);
      const traced = addMember(json, 'traceparent', traceparent);
      expect(JSON.parse(traced)).toEqual({ ...(JSON.parse(json) as object), traceparent });
    }),
  );
});
