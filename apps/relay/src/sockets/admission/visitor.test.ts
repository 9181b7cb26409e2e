import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { readVisitor } from './visitor.ts';

const requestOf = (
  query: object,
  more: { ip?: string; headers?: object; port?: number | undefined } = {},
) => {
  const { ip = '192.0.2.1', headers = {} } = more;
  const socket = { remotePort: 'port' in more ? more.port : 1234 };
  return { query, ip, headers, raw: { socket } } as unknown as FastifyRequest;
};

const nothing = {
  worldId: '',
  worldTitle: '',
  tabletopVersion: '',
  systemId: '',
  systemTitle: '',
  systemVersion: '',
  customName: '',
};

test('a module says in its address and headers who it is', () => {
  const world = {
    worldId: 'world',
    worldTitle: 'The World',
    tabletopVersion: '13.1',
    systemId: 'dnd5e',
    systemTitle: 'Dungeons',
    systemVersion: '5.1',
    customName: 'Table 1',
  };
  const headers = { 'user-agent': 'Browser', origin: 'https://table.example' };
  expect(readVisitor(requestOf({ id: 'client', ...world, foundryVersion: '12' }, { headers }))).toEqual({
    clientId: 'client',
    world,
    address: '192.0.2.1',
    ipAddress: '192.0.2.1:1234',
    userAgent: 'Browser',
    origin: 'https://table.example',
  });
});

test('what is missing, or no text, reads as nothing', () => {
  expect(readVisitor(requestOf({ id: ['a', 'b'], worldTitle: 7 }, { port: undefined }))).toEqual({
    clientId: '',
    world: nothing,
    address: '192.0.2.1',
    ipAddress: '192.0.2.1:0',
    userAgent: '',
    origin: '',
  });
});

test('the version has two names, names are cleaned and ids are not, and all are bounded', () => {
  const { world } = readVisitor(
    requestOf({
      foundryVersion: '13',
      worldTitle: '\u202eTitle',
      systemId: '\u202eid',
      worldId: 'x'.repeat(300),
    }),
  );
  expect(world).toEqual({
    ...nothing,
    tabletopVersion: '13',
    worldTitle: 'Title',
    systemId: '\u202eid',
    worldId: 'x'.repeat(256),
  });
});

test('the port stands behind an IPv6 address in brackets', () => {
  expect(readVisitor(requestOf({}, { ip: '2001:db8::1' }))).toMatchObject({
    address: '2001:db8::1',
    ipAddress: '[2001:db8::1]:1234',
  });
});
