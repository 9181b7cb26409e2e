import { expect, test } from 'vitest';
import type { ClientSocket } from './client-socket.ts';
import { createConnectedClients } from './connected-clients.ts';

const socketOf = (conn: string, clientId: string, accountId = 'account') =>
  ({ conn, identity: { clientId, accountId } }) as ClientSocket;

test('a socket is found by its client, its connection and its account, until it is removed', () => {
  const clients = createConnectedClients();
  const one = socketOf('conn-1', 'world-1');
  const two = socketOf('conn-2', 'world-2');
  const foreign = socketOf('conn-3', 'world-3', 'another account');
  for (const socket of [one, two, foreign]) clients.add(socket);
  expect(clients.byClient('world-1')).toBe(one);
  expect(clients.byConn('conn-2')).toBe(two);
  expect([...clients.byAccount('account')]).toEqual([one, two]);
  expect([...clients.all()]).toEqual([one, two, foreign]);
  expect(clients.size).toBe(3);
  clients.remove(one);
  expect(clients.byClient('world-1')).toBeUndefined();
  expect(clients.byConn('conn-1')).toBeUndefined();
  expect([...clients.byAccount('account')]).toEqual([two]);
  clients.remove(two);
  expect([...clients.byAccount('account')]).toEqual([]);
  expect([...clients.all()]).toEqual([foreign]);
  expect(clients.size).toBe(1);
});

test('the end of an older socket leaves the newer one of the same client in place', () => {
  const clients = createConnectedClients();
  const older = socketOf('conn-1', 'world');
  const newer = socketOf('conn-2', 'world');
  clients.add(older);
  clients.add(newer);
  clients.remove(older);
  expect(clients.byClient('world')).toBe(newer);
  expect([...clients.byAccount('account')]).toEqual([newer]);
});
