import { call } from '@tabletop-relay/testing/scenes';
import type { Answer } from '@tabletop-relay/testing/scenes';
import { expect } from 'vitest';
import type { Rig, Tabletop } from './rig.ts';

/** Starts sessions, and tells how those that run fare. */
export interface LiveSessions {
  start(tabletop: Tabletop): Promise<{ sessionId: string; clientId: string }>;
  isOnline(clientId: string): Promise<boolean>;
  /** By way of the other relay. */
  skillCheck(clientId: string): Promise<Answer>;
  rowOf(id: string): Promise<{ state: string; host: string; run: number; stage: string; detail: string }>;
}

/** Waits for what takes a host or a browser some seconds. */
export const soon = { timeout: 40_000, interval: 200 };

export function liveSessions(rig: Rig): LiveSessions {
  return {
    async start({ login }) {
      const { body } = await rig.sessions.logIn(login);
      expect(body).toMatchObject({ success: true });
      return body as { sessionId: string; clientId: string };
    },
    isOnline: async (clientId) =>
      (await call(rig.second.url, 'GET', `/api/clients/${clientId}/active`)).body['active'] === true,
    skillCheck: (clientId) =>
      call(rig.second.url, 'POST', `/sys5e/skill-check?clientId=${clientId}`, {
        headers: { 'x-api-key': rig.key },
        body: { actorUuid: 'Actor.mira', skill: 'prc' },
      }),
    rowOf: (id) =>
      rig.cluster.db
        .selectFrom('headlessSessions')
        .select(['state', 'host', 'run', 'stage', 'detail'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
  };
}
