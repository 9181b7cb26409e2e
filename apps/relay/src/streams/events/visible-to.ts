import type { Channel } from '@tabletop-relay/contract';
import type { ParsedEvent } from './sse-bytes.ts';

/**
 * Whether a listener that is bound to this user may have an event. Where its module says who may see it, that counts. Else the
 * relay judges by the message itself, which only a message of the chat tells: a public one, or one by or to that user. All else is
 * kept from them.
 */
export function isVisibleTo(
  userId: string,
  channel: Channel,
  { name, data, visibleTo }: ParsedEvent,
): boolean {
  if (visibleTo) return visibleTo.includes(userId);
  if (channel === 'rolls') return isMessageFor(userId, data);
  if (channel !== 'chat' || !isObject(data['data'])) return false;
  if (name === 'chat-delete' && tellsIdAlone(data['data'])) return true;
  return isMessageFor(userId, data['data']);
}

type Data = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ids = new Set(['id', '_id', 'uuid']);

const tellsIdAlone = (message: Data): boolean => Object.keys(message).every((name) => ids.has(name));

/** A message that does not say to whom it goes is for nobody. What is rolled blind its author does not see. */
function isMessageFor(userId: string, { whisper, blind, author, user }: Data): boolean {
  if (!Array.isArray(whisper)) return false;
  if (whisper.includes(userId)) return true;
  if (blind === true) return false;
  return whisper.length === 0 || [author, user].some((one) => idOf(one) === userId);
}

const idOf = (user: unknown): unknown => (isObject(user) ? user['id'] : user);
