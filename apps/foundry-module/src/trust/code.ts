import type { CommandCaller } from '@tabletop-relay/module-sdk';
import { mostCode } from './policy.ts';
import type { ApprovedCode, Policy } from './policy.ts';

/** The SHA-256 of a text as hexadecimal digits; undefined where the page is not secure: browsers have it on https and loopback alone. */
export async function hashOf(text: string): Promise<string | undefined> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (!subtle) return undefined;
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether a program may run a code without a question. */
export const isApproved = (
  { code }: Policy,
  caller: CommandCaller | undefined,
  hash: string | undefined,
): boolean =>
  hash !== undefined &&
  caller !== undefined &&
  code.some((one) => one.hash === hash && one.callerId === caller.id);

/** A policy by which a program may run that code from now on. The oldest approvals go first where there are too many. */
export function approve(policy: Policy, { id, name }: CommandCaller, hash: string): Policy {
  const approved: ApprovedCode = { hash, callerId: id, callerName: name, at: Date.now() };
  const others = policy.code.filter((one) => one.hash !== hash || one.callerId !== id);
  return { ...policy, code: [...others, approved].slice(-mostCode) };
}
