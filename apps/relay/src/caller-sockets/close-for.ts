import type { CallerClose, ErrorCode } from '@tabletop-relay/contract';
import { codeOf } from '../problem.ts';
import type { CallerSocket } from './caller-socket.ts';

/** What a socket is closed with that is refused; any other code is a temporary one. */
const closes: Partial<Record<ErrorCode, CallerClose>> = {
  key_missing: 'keyRefused',
  key_invalid: 'keyRefused',
  key_expired: 'keyRefused',
  account_disabled: 'forbidden',
  rotation_required: 'forbidden',
  client_not_found: 'forbidden',
  paused: 'paused',
  rate_limited: 'tooMany',
  monthly_limit_reached: 'tooMany',
};

/** Ends a socket whose key may not, or no more, be used. */
export function closeFor(socket: CallerSocket, error: unknown): void {
  const code = codeOf(error);
  socket.close(closes[code] ?? 'temporary', code);
}
