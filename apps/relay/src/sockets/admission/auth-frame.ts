import { maxHandoverLength } from '@tabletop-relay/contract';
import type { Declarations } from '@tabletop-relay/contract';
import { readDeclared } from '../../worlds/declared.ts';

/** What a module sends first. */
export interface AuthFrame {
  token: string;
  /** From the `reconnect` frame of an instance that goes away. */
  handover?: string;
  declared: Declarations;
}

/** A handover that cannot be one is ignored, because the module may connect without it. */
export function readAuth(frame: Record<string, unknown> | undefined): AuthFrame | undefined {
  if (frame?.['type'] !== 'auth') return undefined;
  const { token, handover } = frame;
  if (typeof token !== 'string') return undefined;
  const isUsable = typeof handover === 'string' && handover.length <= maxHandoverLength;
  return { token, declared: readDeclared(frame), ...(isUsable && { handover }) };
}
