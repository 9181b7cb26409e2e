import { maxHandoverLength } from '@tabletop-relay/contract';

/** What a module sends first. */
export interface AuthFrame {
  token: string;
  /** From the `reconnect` frame of an instance that goes away. */
  handover?: string;
  /** The module opens its next socket beside the old one when it is told `reconnect`. */
  handsOver: boolean;
}

/** A handover that cannot be one is ignored, because the module may connect without it. */
export function readAuth(frame: Record<string, unknown> | undefined): AuthFrame | undefined {
  if (frame?.['type'] !== 'auth') return undefined;
  const { token, handover } = frame;
  if (typeof token !== 'string') return undefined;
  const isUsable = typeof handover === 'string' && handover.length <= maxHandoverLength;
  return { token, handsOver: frame['handsOver'] === true, ...(isUsable && { handover }) };
}
