import type { AccountLimits } from '../../limits/limits.ts';
import type { Records } from '../../records/records.ts';
import type { ClientSocket } from '../client-socket.ts';
import { textIn } from './frame-fields.ts';
import type { FrameRefusals } from './frame-refusals.ts';
import { createSocketRate } from './socket-rate.ts';

/** Records what a module tells of itself, at the rate that its socket may. */
export function createRecordNotice(deps: {
  records: Pick<Records, 'audit' | 'countDropped'>;
  limits: Pick<AccountLimits, 'moduleNotify'>;
  refuse: FrameRefusals['refuse'];
}) {
  const { records, refuse } = deps;
  const rate = createSocketRate(deps.limits.moduleNotify);

  /** The module gets one error for many refusals in a row, because today's modules ignore errors and go on sending. */
  return function recordNotice(socket: ClientSocket, frame: Record<string, unknown>): void {
    const { identity } = socket;
    const { refusedInARow } = rate.spend(socket);
    if (refusedInARow > 0) records.countDropped(identity.accountId, 'rate_limited');
    if (refusedInARow === 1)
      refuse(socket, 'rate_limited', { type: 'module-notify', requestId: textIn(frame, 'requestId') });
    if (refusedInARow > 0) return;
    records.audit({
      event: `module.${textIn(frame, 'event').slice(0, 100)}`,
      accountId: identity.accountId,
      actor: 'token',
      clientId: identity.clientId,
      subjectId: identity.principal.tokenId,
      ipAddress: identity.address,
      detail: { ...kept('details', frame), ...kept('actor', frame) },
    });
  };
}

const maxKeptLength = 2_000;

/** A field as the module sent it, of whatever kind; a long one as the beginning of its text. */
function kept(name: 'details' | 'actor', frame: Record<string, unknown>): Record<string, unknown> {
  const value = frame[name];
  if (value === undefined || value === null) return {};
  try {
    const text = JSON.stringify(value);
    return { [name]: text.length <= maxKeptLength ? value : text.slice(0, maxKeptLength) };
  } catch {
    // What is nested very deep can be parsed, but not written.
    return {};
  }
}
