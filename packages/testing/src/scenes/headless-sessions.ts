import { constants, publicEncrypt } from 'node:crypto';
import { call } from './account.ts';
import type { Answer } from './account.ts';

export interface Handshake {
  token: string;
  publicKey: string;
  nonce: string;
}

export interface SessionLogin {
  tabletopUrl: string;
  username: string;
  worldName?: string;
}

/** Calls the four endpoints of headless sessions with one key. */
export function sessionCaller(url: string, apiKey: string) {
  const headers = { 'x-api-key': apiKey };
  const handshake = ({ tabletopUrl, username, worldName }: SessionLogin) =>
    call(url, 'POST', '/session-handshake', {
      headers: {
        ...headers,
        'x-tabletop-url': tabletopUrl,
        'x-username': username,
        ...(worldName && { 'x-world-name': worldName }),
      },
    });
  const start = (body: object) => call(url, 'POST', '/start-session', { headers, body });
  return {
    handshake,
    start,
    /** Handshake and start together. */
    async logIn(login: SessionLogin & { password: string; captureBrowserConsole?: string }): Promise<Answer> {
      const { password, captureBrowserConsole } = login;
      const { body } = await handshake(login);
      const shaken = body as unknown as Handshake;
      return await start({
        handshakeToken: shaken.token,
        encryptedPassword: encrypt(shaken, password),
        ...(captureBrowserConsole && { captureBrowserConsole }),
      });
    },
    end: (sessionId: string) => call(url, 'DELETE', `/end-session?sessionId=${sessionId}`, { headers }),
    list: async () =>
      (await call(url, 'GET', '/session', { headers })).body['activeSessions'] as Record<string, unknown>[],
  };
}

export function encrypt(
  { publicKey, nonce }: Pick<Handshake, 'publicKey' | 'nonce'>,
  password: string,
): string {
  const padding = { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  return publicEncrypt(padding, Buffer.from(JSON.stringify({ password, nonce }))).toString('base64');
}
