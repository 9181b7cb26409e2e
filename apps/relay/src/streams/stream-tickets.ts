import type { Cluster } from '@tabletop-relay/cluster';
import type { Channel } from '@tabletop-relay/contract';
import { hash, randomBytes } from 'node:crypto';
import { createSecret, kindOfSecret } from '../credentials/secret.ts';
import type { KeysByHash, Principal } from '../keys/authenticate.ts';
import { limitHeaders } from '../answers/limit-headers.ts';
import type { UnknownSecretLimit } from '../limits/unknown-secret-limit.ts';
import { ProblemError } from '../problem.ts';
import { mayFollow } from './subscription.ts';
import type { Subscription } from './subscription.ts';
import { unavailable } from './unavailable.ts';

export interface StreamTicketDeps {
  cluster: Pick<Cluster, 'tickets' | 'broadcast'>;
  keys: KeysByHash;
  unknownSecrets: UnknownSecretLimit;
}

/** One use of a ticket. */
export interface TicketUse {
  /** Names the ticket without opening anything. */
  id: string;
  /** Random for this use; stands in the ids of its events. */
  proof: string;
  /** Digest of the proof: names this use to other instances. */
  use: string;
  /** Those of the uses that this one takes over from. */
  before: readonly string[];
  principal: Principal;
  subscription: Subscription;
}

/** Tickets stand in addresses, which are copied and logged. So a used one opens nothing by itself. */
export interface StreamTickets {
  issue(principal: Principal, subscription: Subscription): Promise<string>;
  /** Rejects with the problem to answer: `key_invalid` for a ticket that is unknown, used or of another channel. */
  use(used: {
    ticket: string;
    channel: Channel;
    /** From the `Last-Event-ID`; empty where there is none. */
    shown: string;
    address: string;
  }): Promise<TicketUse>;
  /** Used tickets whose streams are open may be shown again for five more minutes. */
  keep(ids: readonly string[]): void;
  /** Called when a ticket was used again, on whatever instance: older streams of it must end. */
  onTakeOver(listener: (ticket: Pick<TicketUse, 'id' | 'use'>) => void): () => void;
}

export const ticketSeconds = 60;

const topic = 'stream-tickets';

interface Note {
  key: string;
  subscription: Subscription;
}

export function createStreamTickets({ cluster, keys, unknownSecrets }: StreamTicketDeps): StreamTickets {
  const { tickets, broadcast } = cluster;

  function checkRate(address: string): void {
    const waitS = unknownSecrets.waitS(address);
    if (waitS === 0) return;
    throw new ProblemError('rate_limited', 'Too many unknown tickets from this address.', {
      retryAfterS: waitS,
      headers: limitHeaders(unknownSecrets.max, waitS),
    });
  }

  return {
    async issue(principal, subscription) {
      const ticket = createSecret('streamTicket');
      const note: Note = { key: keys.hashOf(principal), subscription };
      await tickets.issue(idOf(ticket.value), JSON.stringify(note), ticketSeconds * 1_000).catch(unavailable);
      return ticket.value;
    },
    async use({ ticket, channel, shown, address }) {
      if (kindOfSecret(ticket) !== 'streamTicket') throw refused();
      checkRate(address);
      const id = idOf(ticket);
      const proof = randomBytes(16).toString('base64url');
      const use = digest(proof);
      const opened = await tickets.use(id, { shown: digest(shown), next: use }).catch(unavailable);
      if (opened === undefined) {
        await unknownSecrets.count(address);
        throw refused();
      }
      const { key, subscription } = JSON.parse(opened.note) as Note;
      const principal = await keys.find(key);
      if (subscription.channel !== channel || !mayFollow(principal, subscription.clientId)) throw refused();
      void broadcast.publish(topic, `${id} ${use}`).catch(() => {});
      return { id, proof, use, before: opened.before, principal, subscription };
    },
    keep(ids) {
      if (ids.length > 0) tickets.keep(ids).catch(() => {});
    },
    onTakeOver: (listener) =>
      broadcast.subscribe(topic, (message) => {
        const [id = '', use = ''] = message.split(' ');
        listener({ id, use });
      }),
  };
}

const refused = () =>
  new ProblemError(
    'key_invalid',
    'This ticket opens nothing: it was used, or is too old, or belongs to another stream. Make a new one.',
  );

const idOf = (ticket: string): string => hash('sha256', ticket, 'base64url');

const digest = (proof: string): string => hash('sha256', proof, 'base64url');
