import type { FrameErrorCode } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { toPlainText } from '@tabletop-relay/kit';
import type { Logger } from 'pino';
import type { AccountLimits } from '../../limits/limits.ts';
import { readPauses } from '../../pauses/pauses.ts';
import { liftPause, setPause } from '../../pauses/set-pause.ts';
import type { PauseDeps } from '../../pauses/set-pause.ts';
import type { ClientSocket } from '../client-socket.ts';
import { textIn } from '../frames/frame-fields.ts';
import type { FrameRefusals } from '../frames/frame-refusals.ts';
import { createSocketRate } from '../frames/socket-rate.ts';

export interface SetTabletopPauseDeps extends PauseDeps {
  db: Database;
  limits: Pick<AccountLimits, 'moduleNotify'>;
  refuse: FrameRefusals['refuse'];
  log: Logger;
}

const longestName = 100;

/**
 * Pauses a module's own world from the tabletop, or lifts that. Each change is an entry of the audit log, so a socket has one at a
 * time and the rate of its notices. Never rejects.
 */
export function createSetTabletopPause(deps: SetTabletopPauseDeps) {
  const { db, limits, refuse, log } = deps;
  const changing = new WeakSet<ClientSocket>();
  const rate = createSocketRate(limits.moduleNotify);

  return async function setTabletopPause(
    socket: ClientSocket,
    frame: Record<string, unknown>,
  ): Promise<void> {
    const requestId = textIn(frame, 'requestId');
    const { paused } = frame;
    const refuseAs = (code: FrameErrorCode) => refuse(socket, code, { type: 'set-pause', requestId });
    if (typeof paused !== 'boolean') return refuseAs('bad_pause');
    if (changing.has(socket)) return refuseAs('overloaded');
    if (rate.spend(socket).refusedInARow > 0) return refuseAs('rate_limited');
    const { accountId, clientId, principal, address } = socket.identity;
    const who = {
      actor: 'token',
      tokenId: principal.tokenId,
      userName: toPlainText(textIn(frame, 'userName').slice(0, longestName)),
      ipAddress: address,
    } as const;
    changing.add(socket);
    try {
      const change = paused ? setPause : liftPause;
      await change(deps, { accountId, subject: { clientId }, who });
      const pauses = (await readPauses(db, accountId)).ofWorld(clientId);
      socket.send({ type: 'pauses', ...(requestId && { requestId }), pauses });
    } catch (error) {
      log.warn({ err: error, clientId }, 'a pause of the tabletop could not be set or lifted');
      refuseAs('unavailable');
    } finally {
      changing.delete(socket);
    }
  };
}
