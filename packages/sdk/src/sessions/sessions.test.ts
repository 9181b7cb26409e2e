import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { listen, seen, stopListening } from '../../test/answers.ts';
import type { Answer } from '../../test/answers.ts';
import { createRelay } from '../create-relay.ts';

afterEach(stopListening);

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const shaken: Answer = { body: { token: 'shaken', publicKey, nonce: 'n1' } };
const login = { tabletopUrl: 'https://tabletop.example', username: 'Jürgen', password: 'pässword' };

const relayWith = async (...answers: Answer[]) =>
  createRelay({ url: await listen(...answers), apiKey: 'trk_key', clientId: 'demo' });

it('a start shakes hands, and sends a password that the relay alone can read', async () => {
  const started = { sessionId: 's', clientId: 'c' };
  const relay = await relayWith(shaken, { body: started });
  expect(await relay.sessions.start({ ...login, worldName: 'Höhle', captureBrowserConsole: 'warn' })).toEqual(
    started,
  );
  const [handshake, start] = seen;
  expect(handshake).toMatchObject({ method: 'POST', path: '/session-handshake', body: undefined });
  const { headers } = handshake!;
  expect(headers).toMatchObject({ 'x-api-key': 'trk_key', 'x-tabletop-url': login.tabletopUrl });
  const asUtf8 = (name: string) => Buffer.from(String(headers[name]), 'latin1').toString('utf8');
  expect([asUtf8('x-username'), asUtf8('x-world-name')]).toEqual(['Jürgen', 'Höhle']);

  expect(start).toMatchObject({ method: 'POST', path: '/start-session' });
  const { encryptedPassword, ...body } = start!.body as Record<string, string>;
  expect(body).toEqual({ handshakeToken: 'shaken', captureBrowserConsole: 'warn' });
  const padding = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  const text = privateDecrypt(padding, Buffer.from(encryptedPassword ?? '', 'base64'));
  expect(JSON.parse(text.toString('utf8'))).toEqual({ password: 'pässword', nonce: 'n1' });
});

it('a start without a world takes the one that runs', async () => {
  const relay = await relayWith(shaken, {});
  await relay.sessions.start(login);
  expect(seen[0]?.headers).not.toHaveProperty('x-world-name');
});

it('the sessions are listed, and ended by their ids', async () => {
  const relay = await relayWith({ body: { activeSessions: [{ id: 's' }] } }, {});
  expect(await relay.sessions.list()).toEqual([{ id: 's' }]);
  await relay.sessions.end('s/1');
  expect(seen).toMatchObject([
    { method: 'GET', path: '/session', headers: { 'x-api-key': 'trk_key' } },
    { method: 'DELETE', path: '/end-session', query: { sessionId: 's/1' }, body: undefined },
  ]);
});

it('a start is waited for longer than the relay takes for it, the others briefly, or as the program says', async () => {
  const within: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (within.push(ms), timeout(ms)));
  onTestFinished(() => void vi.restoreAllMocks());
  const { sessions } = await relayWith(shaken, {}, { body: { activeSessions: [] } }, {});
  await sessions.start(login);
  await sessions.list();
  await sessions.end('s');
  expect(within).toEqual([15_000, 130_000, 15_000, 15_000]);

  within.length = 0;
  const again = await relayWith(shaken, {}, { body: { activeSessions: [] } }, {});
  const options = { timeoutMs: 7_000 };
  await again.sessions.start(login, options);
  await again.sessions.list(options);
  await again.sessions.end('s', options);
  expect(within).toEqual([7_000, 7_000, 7_000, 7_000]);
});
