import type { Database } from '@tabletop-relay/database';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { CredentialFeed } from '../credentials/credential-feed.ts';
import type { Passwords } from '../credentials/password.ts';
import type { Bounds } from './bounds.ts';
import type { AccountLimits } from '../limits/limits.ts';
import type { SendMail } from './mail.ts';
import type { PresenceFeed } from '../worlds/presence.ts';
import type { Records } from '../records/records.ts';
import type { SignInFailures } from './sign-in/sign-in-failures.ts';
import type { SignInGuard } from './sign-in/sign-in-guard.ts';
import type { InTurn } from './turns.ts';

/** What the account endpoints need; the composition gives it. */
export interface AccountDeps {
  db: Database;
  feed: CredentialFeed;
  records: Records;
  passwords: Passwords;
  guard: SignInGuard;
  failures: SignInFailures;
  log: Logger;
  /** RELAY_SECRET: keys the HMACs of short codes. */
  secret: string;
  /** PUBLIC_URL, or the request's own address on loopback. No slash at the end. */
  publicUrlOf(request: FastifyRequest): string;
  /** PUBLIC_URL alone: links in mails are never made from a request. */
  mailUrl: string | undefined;
  sendMail: SendMail;
  registration: 'open' | 'closed';
  /** Which of these clients are online, with the token that holds the connection; undefined: nobody can tell. */
  whoIsOnline(clientIds: readonly string[]): Promise<ReadonlyMap<string, { tokenId: string }> | undefined>;
  presence: PresenceFeed;
  /** Tells the account's owner of something to look at; must not throw. */
  notify(notice: AccountNotice): void;
  limits: AccountLimits;
  /** Largest body of an account endpoint: none needs what a call may need, and some take bodies of strangers. */
  maxBodyBytes: number;
  bounds: Bounds;
  /** Lines of this instance: an account's changes wait for each other without a connection to Postgres. */
  inTurn: InTurn;
  now(): number;
}

/** Something that the account's owner should hear of beside the audit log. */
export interface AccountNotice {
  accountId: string;
  event: 'client.paired_again';
  clientId: string;
  detail: string;
}

/** A Fastify instance whose request types follow from the routes' schemas. */
export type AccountApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
