import type { DataOf, Fields } from './fields.ts';

/** The events of `GET /auth/events`, the stream that the dashboard follows. */
export const accountEvents = {
  connected: { meaning: 'The stream is open: the lists have what happened before.', data: {} },
  'client-online': { meaning: 'A world connected.', data: { clientId: 'text' } },
  'client-offline': { meaning: 'A world disconnected.', data: { clientId: 'text' } },
  changed: { meaning: 'A key or a world was changed or paused, or its pause was lifted.', data: {} },
  calls: { meaning: 'Calls were added to the call log; at most once a second.', data: {} },
  gap: { meaning: 'Some events may have been missed: read the lists again.', data: {} },
} as const satisfies Record<string, { meaning: string; data: Fields }>;

export type AccountEventName = keyof typeof accountEvents;

/** The data of an event of the dashboard’s stream. */
export type AccountEventData<E extends AccountEventName> = DataOf<(typeof accountEvents)[E]['data']>;
