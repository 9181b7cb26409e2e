import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BusFailure } from './failures.ts';
import { newBoot } from './ids.ts';
import { readAnswer, readCalls, readMessage, writeAnswer, writeMessage } from './message.ts';
import type { Message } from './message.ts';

const callId = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const clientId = fc.string({ unit: 'grapheme', maxLength: 60 });
const head = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), { maxKeys: 3 });
const body = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

test('a message is read as it was written, whatever stands in its head and body', () => {
  fc.assert(
    fc.property(callId, clientId, head, body, (id, client, own, bytes) => {
      const asker = newBoot();
      const call = {
        asker,
        callId: id,
        clientId: client,
        expiry: 1.5,
        inlineBytes: 131_072,
        head: { ...own },
      };
      expect(readMessage(writeMessage('call', call, bytes))).toEqual({ kind: 'call', ...call, body: bytes });
      const credit = { asker, callId: id, channel: 7, upTo: 2 ** 32 - 1 };
      expect(readMessage(writeMessage('credit', credit))).toMatchObject({ kind: 'credit', ...credit });
    }),
  );
});

test('calls that are joined are read with the epochs that were found for them', () => {
  const epochs = fc.integer({ min: 1, max: 2 ** 52 });
  const bodies = fc.array(fc.tuple(epochs, body), { maxLength: 5 });
  fc.assert(
    fc.property(bodies, (wanted) => {
      const shared = { asker: 'a', clientId: 'c', expiry: 1, inlineBytes: 1, head: {} };
      const calls = wanted.map(([, bytes], id) => writeMessage('call', { ...shared, callId: id }, bytes));
      const told = calls.map(({ length }, index) => ({ epoch: String(wanted[index]![0]), bytes: length }));
      const joined = readMessage(writeMessage('calls', { calls: told }, Buffer.concat(calls)));
      const read = [...readCalls(joined as Extract<Message, { kind: 'calls' }>)];
      expect(read.map(({ epoch, body: bytes }) => [epoch, bytes])).toEqual(wanted);
    }),
  );
});

test.each(['', 'no head', 'null\n', '[1\n', '{"kind":"call"', '12\nbody'])('%j is no message', (text) => {
  expect(readMessage(Buffer.from(text))).toBeUndefined();
  expect(readAnswer(Buffer.from(text))).toBeUndefined();
});

test('a message of a kind that this version does not know is no answer', () => {
  expect(readAnswer(Buffer.from('{"kind":"news of tomorrow","callId":1}\n'))).toBeUndefined();
});

test('answers are read as they were written', () => {
  fc.assert(
    fc.property(head, body, (own, bytes) => {
      const reply = { kind: 'reply', head: { ...own }, body: bytes } as const;
      expect(readAnswer(writeAnswer(7, reply))).toMatchObject({ callId: 7, answer: reply });
      const begin = { kind: 'begin', head: { ...own }, owner: newBoot(), bytes: 2 ** 24 } as const;
      expect(readAnswer(writeAnswer(2 ** 32 - 1, begin))).toMatchObject({
        callId: 2 ** 32 - 1,
        answer: begin,
      });
    }),
  );
  const failure = new BusFailure('unavailable', false, 'the world is just moving');
  expect(readAnswer(writeAnswer(1, { kind: 'failed', failure }))).toMatchObject({
    answer: { failure: { reason: 'unavailable', sent: false, message: 'the world is just moving' } },
  });
});
