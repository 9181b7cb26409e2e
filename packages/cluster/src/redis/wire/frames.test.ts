import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAnswer, writeAnswer } from './answers.ts';
import { BusFailure } from '../../failures.ts';
import {
  cancelFrame,
  commandRest,
  creditFrame,
  heartbeatFrame,
  kinds,
  probeFrame,
  readFrames,
  readHeartbeat,
} from './frames.ts';
import { asRouted } from '../../../test/fakes/routed-frame.ts';
import { newBoot } from '../../ids.ts';

const callId = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const clientId = fc.string({ unit: 'grapheme', maxLength: 60 });
const epochs = fc.integer({ min: 1, max: 2 ** 52 });
const body = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

test('frames that are joined into one message are read as they were written', () => {
  const asker = newBoot();
  fc.assert(
    fc.property(callId, clientId, fc.option(body, { nil: undefined }), epochs, (id, client, bytes, epoch) => {
      const command = {
        kind: 'command',
        epoch,
        expiry: 1.5,
        asker,
        callId: id,
        clientId: client,
        inlineBytes: 131_072,
        body: bytes,
      } as const;
      const credit = { asker, callId: id, channel: 7, upTo: 2 ** 32 - 1 };
      const message = Buffer.concat([
        probeFrame(asker, id, client, 'conn-ü'),
        asRouted(epoch, commandRest(1.5, asker, id, command)),
        creditFrame(credit),
        cancelFrame(asker, id),
      ]);
      expect([...readFrames(message)]).toEqual([
        { kind: 'probe', asker, callId: id, clientId: client, conn: 'conn-ü' },
        command,
        { kind: 'credit', ...credit },
        { kind: 'cancel', asker, callId: id },
      ]);
      expect(readHeartbeat(message)).toBeUndefined();
    }),
  );
});

test('a frame of a kind that this version does not know is skipped', () => {
  const unknown = cancelFrame(newBoot(), 1);
  unknown[4] = 200;
  const known = cancelFrame(newBoot(), 2);
  expect([...readFrames(Buffer.concat([unknown, known]))]).toMatchObject([{ kind: 'cancel', callId: 2 }]);
  expect(readAnswer(Buffer.from([0, 0, 0, 1, 200, 0, 0, 0, 0]))).toBeUndefined();
});

test('a heartbeat is known by its count', () => {
  expect(readHeartbeat(heartbeatFrame(4_000_000_000))).toBe(4_000_000_000);
});

test('answers are read as they were written', () => {
  fc.assert(
    fc.property(clientId, body, (head, bytes) => {
      const reply = { kind: 'reply', head, body: bytes } as const;
      expect(readAnswer(writeAnswer(7, reply))).toEqual({ callId: 7, answer: reply });
      const begin = { kind: 'begin', head, owner: newBoot(), bytes: 2 ** 24 } as const;
      expect(readAnswer(writeAnswer(2 ** 32 - 1, begin))).toEqual({ callId: 2 ** 32 - 1, answer: begin });
    }),
  );
  const failure = new BusFailure('unavailable', false, 'the world is just moving');
  expect(readAnswer(writeAnswer(1, { kind: 'failed', failure }))).toMatchObject({
    answer: { failure: { reason: 'unavailable', sent: false, message: 'the world is just moving' } },
  });
});

test('the number of listeners is read as the script of Redis writes it', () => {
  const client = Buffer.from('client-ü');
  const frame = Buffer.concat([
    Buffer.from([0, 0, 0, 0, kinds.listeners, 0, 0, 0, 3]),
    Buffer.alloc(8),
    Buffer.from([0, client.length]),
    client,
    Buffer.from('rolls'),
  ]);
  frame.writeUInt32BE(frame.length);
  frame.writeDoubleBE(1_500, 9);
  expect([...readFrames(frame)]).toEqual([
    { kind: 'listeners', clientId: 'client-ü', channel: 'rolls', count: 3, forMs: 1_500 },
  ]);
});
