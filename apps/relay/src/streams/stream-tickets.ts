import type { Cluster } from '@tabletop-relay/cluster';
import type { Channel } from '@tabletop-relay/contract';
import { hash, randomBytes } from 'node:crypto';
import { createSecret, kindOfSecret } from '../credentials/secret.ts';
import type { KeysByHash, Principal } from '../keys/authenticate.ts';
import { limitHeaders } from '../limits/limit-headers.ts';
import type { UnknownSecretLimit } from '../limits/unknown-secret-limit.ts';
import { ProblemError } from '../problem.ts';
import { checkMayFollow, mayFollow } from './subscription.ts';
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
  /** Counts the uses of the ticket: the stream of the latest alone stays. */
  turn: number;
  principal: Principal;
  subscription: Subscription;
  /** Whether the ticket was used again meanwhile, on whatever instance. Known from before this use until `endOpening`. */
  isTakenOver(): boolean;
  endOpening(): void;
}

/** Tickets stand in addresses, which are copied and logged. So a used one opens nothing by itself. */
export interface StreamTickets {
  issue(principal: Principal, subscription: Subscription): Promise<string>;
  /**
   * Rejects with the problem to answer: `key_invalid` for a ticket that is unknown, used or of another channel. Whoever
   * resolves it calls `endOpening` once its stream is open, or was refused.
   */
  use(used: {
    ticket: string;
    channel: Channel;
    /** From the `Last-Event-ID`; empty where there is none. */
    shown: string;
    address: string;
  }): Promise<TicketUse>;
  /**
   * Used tickets whose streams are open may be shown again for five more minutes. Where the word of a later use was lost,
   * listeners are told of it now.
   */
  keep(ids: readonly string[]): void;
  /** Called when a ticket was used again, on whatever instance: older streams of it must end. */
  onTakeOver(listener: TakeOverListener): () => void;
}

type UsedTicket = Pick<TicketUse, 'id' | 'turn'>;

type TakeOverListener = (ticket: UsedTicket) => void;

export const ticketSeconds = 60;

const topic = 'stream-tickets';

interface Note {
  key: string;
  subscription: Subscription;
}

export function createStreamTickets({ cluster, keys, unknownSecrets }: StreamTicketDeps): StreamTickets {
  const { tickets, broadcast } = cluster;
  const takeOvers = createTakeOvers(broadcast);

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
      if (kindOfSecret(ticket) !== 'streamTicket') throw refusedTicket();
      checkRate(address);
      const id = idOf(ticket);
      // From before the use: of two at once each hears of the other.
      const opening = takeOvers.watch(id);
      try {
        const proof = randomBytes(16).toString('base64url');
        const opened = await tickets
          .use(id, { shown: digest(shown), next: digest(proof) })
          .catch(unavailable);
        if (opened === undefined) {
          await unknownSecrets.count(address);
          throw refusedTicket();
        }
        const { note, turn } = opened;
        const { key, subscription } = JSON.parse(note) as Note;
        const principal = await keys.find(key);
        if (subscription.channel !== channel || !mayFollow(principal, subscription.clientId))
          throw refusedTicket();
        checkMayFollow(principal, subscription.clientId);
        takeOvers.publish({ id, turn });
        const isTakenOver = () => opening.latest() > turn;
        return { id, proof, turn, principal, subscription, isTakenOver, endOpening: opening.end };
      } catch (error) {
        opening.end();
        throw error;
      }
    },
    keep(ids) {
      if (ids.length === 0) return;
      const tellAll = (turns: ReadonlyMap<string, number>) => {
        for (const [id, turn] of turns) takeOvers.tell({ id, turn });
      };
      tickets.keep(ids).then(tellAll, () => {});
    },
    onTakeOver: takeOvers.listen,
  };
}

/** A stream that is being opened by a ticket. */
interface Opening {
  /** The latest turn of the ticket that was heard of since. */
  latest(): number;
  end(): void;
}

/** Which tickets are used, on whatever instance: told to those who hold streams of them open, and to those who open one. */
function createTakeOvers(broadcast: Cluster['broadcast']) {
  const listeners = new Set<TakeOverListener>();
  const openings = new Map<string, { latest: number; count: number }>();

  const tell: TakeOverListener = ({ id, turn }) => {
    const opening = openings.get(id);
    if (opening) opening.latest = Math.max(opening.latest, turn);
    for (const listener of listeners) listener({ id, turn });
  };
  broadcast.subscribe(topic, (message) => {
    const [id = '', turn = ''] = message.split(' ');
    // Instances of an older version tell no number: theirs counts as the latest.
    tell({ id, turn: /^\d+$/.test(turn) ? Number(turn) : Infinity });
  });

  return {
    tell,
    publish: ({ id, turn }: UsedTicket) => void broadcast.publish(topic, `${id} ${turn}`).catch(() => {}),
    listen(listener: TakeOverListener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    watch(id: string): Opening {
      const opening = openings.get(id) ?? { latest: 0, count: 0 };
      openings.set(id, opening);
      opening.count++;
      return {
        latest: () => opening.latest,
        end() {
          opening.count--;
          if (opening.count === 0) openings.delete(id);
        },
      };
    },
  };
}

/** A stream that was being opened while its ticket was used again. */
export const takenOver = () =>
  new ProblemError('key_invalid', 'This ticket was used again meanwhile, and that stream has taken over.');

export const refusedTicket = () =>
  new ProblemError(
    'key_invalid',
    'This ticket opens nothing: it was used, or is too old, or belongs to another stream. Make a new one.',
  );

const idOf = (ticket: string): string => hash('sha256', ticket, 'base64url');

const digest = (proof: string): string => hash('sha256', proof, 'base64url');
