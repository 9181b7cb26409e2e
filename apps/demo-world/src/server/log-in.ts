import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import type { World } from '../world/world.ts';

/** Settings that a tabletop’s server keeps for the module of its world. None is secret. */
const worldSettings = Type.Object(
  { clientId: Type.String({ maxLength: 128 }), pairedRelayUrl: Type.String({ maxLength: 500 }) },
  { additionalProperties: false },
);

const credentials = Type.Object(
  { user: Type.String({ maxLength: 100 }), password: Type.String({ maxLength: 200 }) },
  { additionalProperties: false },
);

export interface LogInOptions {
  world: World;
  /** Passwords by the names of users who may log in. */
  passwords: Readonly<Record<string, string>>;
  /** Sends the page that both addresses share. */
  sendPage(reply: FastifyReply): unknown;
}

const cookieName = 'demo-world';
const maxLogins = 100;

/**
 * The world's log-in page at `/login`, and `/play`: a world of its own in the browser that logged in, as a tabletop runs
 * its module there. What its module keeps for all browsers is kept here.
 */
export function registerLogIn(server: FastifyInstance, { world, passwords, sendPage }: LogInOptions): void {
  const logins = new Map<string, string>();
  let settings: Static<typeof worldSettings> = { clientId: '', pairedRelayUrl: '' };

  const userOf = (request: FastifyRequest) => {
    const [, token = ''] = /(?:^|; )demo-world=([\w-]+)/.exec(request.headers.cookie ?? '') ?? [];
    return logins.get(token);
  };
  const isGameMaster = (name: string) => world.state().users.some((user) => user.name === name && user.isGM);

  server.get('/login', (_request, reply) => sendPage(reply));
  server.get('/play', (request, reply) =>
    userOf(request) ? sendPage(reply) : reply.redirect('/login', 303),
  );

  server.get('/users', () => Object.keys(passwords));

  server.post('/login', (request, reply) => {
    if (!Value.Check(credentials, request.body)) return reply.code(400).send({ message: 'Not a log-in' });
    const { user, password } = request.body;
    if (!isSameText(password, Object.hasOwn(passwords, user) ? passwords[user] : undefined)) {
      return reply.code(401).send({ message: 'That is not the password of this user' });
    }
    const token = randomBytes(24).toString('base64url');
    if (logins.size >= maxLogins) logins.delete(logins.keys().next().value as string);
    logins.set(token, user);
    return reply
      .header('set-cookie', `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict`)
      .send({ user });
  });

  server.get('/play/world', (request, reply) => {
    const user = userOf(request);
    if (user === undefined) return reply.code(401).send({ message: 'Log in first' });
    const { world: about, system, tabletopVersion } = world.state();
    return {
      user: { name: user, isGameMaster: isGameMaster(user) },
      settings,
      world: {
        worldId: about.id,
        worldTitle: about.title,
        tabletopVersion,
        systemId: system.id,
        systemTitle: system.title,
        systemVersion: system.version,
      },
    };
  });

  server.put('/play/settings', (request, reply) => {
    const user = userOf(request);
    if (user === undefined) return reply.code(401).send({ message: 'Log in first' });
    if (!isGameMaster(user)) return reply.code(403).send({ message: 'Only a game master changes this' });
    if (!Value.Check(worldSettings, request.body)) return reply.code(400).send({ message: 'No settings' });
    settings = request.body;
    return settings;
  });
}

/** Takes the same time wherever they differ. */
function isSameText(given: string, expected: string | undefined): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected ?? '')) && expected !== undefined;
}
