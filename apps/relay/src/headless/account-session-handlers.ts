import type { accountSessionEndpoints } from '@tabletop-relay/contract';
import type { HandlersOf } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import { paged } from '@tabletop-relay/kit';
import { endSession } from './end-session.ts';
import { holderOfPerson } from './holder.ts';
import { checkTabletopAddress, readLogin } from './login.ts';
import { readSessions, readView, takePicture } from './read-sessions.ts';
import { moduleUrl } from './session-handlers.ts';
import type { HeadlessDeps } from './session-handlers.ts';
import { startSession } from './start/start-session.ts';

export const accountSessionHandlers = (deps: HeadlessDeps): HandlersOf<typeof accountSessionEndpoints> => ({
  listHeadlessSessions: ({ query }, { session: { accountId } }) =>
    paged(query, (page) => readSessions(deps.db, { accountId, ...page })),

  async beginHeadlessSession({ body }, { session }) {
    const login = readLogin(body);
    await checkTabletopAddress(deps.guard, login.tabletopUrl);
    return await deps.handshakes.begin(holderOfPerson(session), login);
  },

  async startHeadlessSession({ body }, { session, sender, publicUrl }) {
    const { sessionId, started } = await startSession(deps, {
      holder: holderOfPerson(session),
      body,
      sender,
      relayUrl: moduleUrl(publicUrl),
      stop: deps.stop,
    });
    // The list tells how it ends.
    started.catch((error: unknown) => {
      if (!(error instanceof ProblemError))
        deps.log.error({ err: error, sessionId }, 'a headless start broke');
    });
    return { id: sessionId };
  },

  getHeadlessPicture: ({ params: { id } }, { session: { accountId } }) =>
    takePicture(deps, { accountId, id }),

  async getHeadlessConsole({ params: { id } }, { session: { accountId } }) {
    const { console: lines } = await readView(deps.db, { accountId, id });
    return { lines };
  },

  async stopHeadlessSession({ params: { id } }, { session, sender }) {
    await endSession(deps, { holder: holderOfPerson(session), id, sender });
    return {};
  },
});
