import { expect } from 'vitest';
import type { Followed, Following, Position } from '../../src/index.ts';
import type { TestInstance } from './fleet.ts';

export const channel = 'combat';

export async function arrive(at: TestInstance, clientId: string, handover?: string) {
  const arrived = await at.connect(clientId, handover === undefined ? {} : { handover });
  expect(arrived.outcome).toBe('mine');
  at.cluster.streams.open(clientId, arrived.conn, [channel, 'hooks']);
  return arrived;
}

let sends = 0;

export function send(at: TestInstance, conn: string, count: number, bytes = 10, name = 'event'): string[] {
  const texts = Array.from({ length: count }, () => `${name} ${++sends} `.padEnd(bytes, 'x'));
  for (const text of texts) at.cluster.streams.append(conn, channel, Buffer.from(text));
  return texts;
}

export async function peek(at: TestInstance, clientId: string): Promise<Position> {
  const following = await at.cluster.streams.follow({ clientId, channel });
  following.stop();
  return following.position;
}

interface Heard {
  following: Following;
  all(): Followed[];
  missed(): string[];
  events(): string[];
  others(): Followed[];
  /** Answers where it got to. */
  stop(): Position;
}

export async function listen(at: TestInstance, clientId: string, after?: Position): Promise<Heard> {
  const following = await at.cluster.streams.follow({ clientId, channel }, after);
  const heard: Followed[] = [];
  following.start((message) => heard.push(message));
  const { position, missed } = following;
  return {
    following,
    all: () => heard,
    missed: () => textsOf(missed),
    events: () => textsOf(heard),
    others: () => heard.filter(({ kind }) => kind !== 'event'),
    stop: () => {
      following.stop();
      const { gen, n } = heard.at(-1) ?? missed.at(-1) ?? position;
      return { gen, n };
    },
  };
}

const textsOf = (messages: readonly Followed[]): string[] =>
  messages.flatMap((message) => (message.kind === 'event' ? [message.event.toString()] : []));

export const kinds = (messages: readonly Followed[]): string[] => messages.map(({ kind }) => kind);

export const lost = (messages: readonly Followed[]): number =>
  messages.reduce((sum, message) => sum + (message.kind === 'gap' ? (message.dropped ?? NaN) : 0), 0);
