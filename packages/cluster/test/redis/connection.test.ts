import { expect, test } from 'vitest';
import { createFakeConnection } from '../fakes/fake-connection.ts';
import { reconnect } from '../../src/redis/connection.ts';

test.each([
  ['ready', 1],
  ['connect', 1],
  ['connecting', 0],
  ['reconnecting', 0],
  ['wait', 0],
  ['end', 0],
])(
  'a connection that is "%s" is dropped %i times, for one that is being dialled is left alone',
  (status, times) => {
    const { connection, state, disconnect } = createFakeConnection();
    state.status = status;
    reconnect(connection);
    expect(disconnect.mock.calls).toEqual(Array.from({ length: times }, () => [true]));
  },
);
