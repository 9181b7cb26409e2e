import { execute, startMailServer, startRedis, startWebhookReceiver } from '@tabletop-relay/testing';
import type { MailServer, WebhookReceiver } from '@tabletop-relay/testing';
import type { NetConnectOpts } from 'node:net';
import { createGates } from './gates.ts';

/** Where the containers' connections lead: stores, a mail server and a receiver of webhooks, each behind a gate. */
export interface Outside {
  /** What stands in the files of deploy/compose.yaml, by their names. */
  secrets: Readonly<Record<string, string>>;
  /** What an operator sets beside them. */
  settings: Readonly<Record<string, string>>;
  publicUrl: string;
  mailServer: MailServer;
  /** Its address leads through a gate. */
  receiver: Pick<WebhookReceiver, 'received' | 'url'>;
  /** See `Gates.flows`. */
  flows(): string[];
  /** Opens one more gate; returns its address, as `host:port`. */
  addressOf(service: string, url: () => string): Promise<string>;
  stop(): Promise<void>;
}

/** @param balancerUrl where PUBLIC_URL leads, once it is known */
export async function startOutside(
  database: { url: string; ownerUrl: string },
  balancerUrl: () => string,
): Promise<Outside> {
  const [redis, mailServer, receiver] = await Promise.all([
    startRedis(),
    startMailServer(),
    startWebhookReceiver(),
  ]);
  const gates = createGates();
  const open = async (service: string, to: () => NetConnectOpts) =>
    `127.0.0.1:${await gates.open(service, to)}`;
  const addressOf = (service: string, url: () => string) =>
    open(service, () => ({ host: '127.0.0.1', port: Number(new URL(url()).port) }));

  // The migration of the image makes its tables.
  await execute(database.ownerUrl, 'drop schema public cascade; create schema public');
  const postgres = await open('postgres', () => ({ path: socketOf(database.url) }));
  const publicUrl = `http://${await addressOf('relay', balancerUrl)}`;
  return {
    publicUrl,
    secrets: {
      'database-url': overTcp(database.url, postgres),
      'migrate-database-url': overTcp(database.ownerUrl, postgres),
      'redis-url': `redis://${await addressOf('redis', () => redis.url)}`,
      'relay-secret': 'a secret for tests; long enough.',
    },
    settings: {
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: `smtp://${await addressOf('mail', () => mailServer.url)}`,
      MAIL_FROM: 'Relay <relay@example.org>',
      // The pages and receivers of tests are on this machine.
      OUTBOUND_ALLOW: '127.0.0.0/8',
      // All callers and worlds are one address, and one key.
      LIMIT_PAIR: '1000 per 1 min',
      CALLS_PER_MINUTE: '0',
      // Tests have a balancer that looks five times a second, and few worlds.
      DRAIN_WAIT_MS: '1000',
      DRAIN_SPREAD_MS: '500',
      // As long as in production: a busy machine may take seconds to let a module come over to a new process.
      DRAIN_GRACE_MS: '5000',
    },
    mailServer,
    receiver: {
      received: receiver.received,
      url: `http://${await addressOf('webhook', () => receiver.url)}`,
    },
    flows: gates.flows,
    addressOf,
    async stop() {
      await gates.close();
      await Promise.all([redis.stop(), mailServer.stop(), receiver.stop()]);
    },
  };
}

/** The server of tests listens on a socket alone: `postgres://<role>@/<database>?host=<folder>`. */
const socketUrl = /^postgres:\/\/(?<role>\w+)@\/(?<name>\w+)\?host=(?<folder>[^&]+)/;

function socketOf(url: string): string {
  const folder = decodeURIComponent(socketUrl.exec(url)?.groups?.['folder'] ?? '');
  return `${folder}/.s.PGSQL.5432`;
}

const overTcp = (url: string, address: string) =>
  url.replace(socketUrl, `postgres://$<role>@${address}/$<name>`);
