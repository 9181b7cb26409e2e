import { readTraceparent } from '@tabletop-relay/contract';

const before = '{"traceparent":"';
const length = 55;

/**
 * Puts the trace into a command, as the first member of its JSON text. It travels so to the owner and to the module alike. An
 * instance without traces, or of a version that knows none, passes it on as any other member.
 */
export function addTraceparent(fieldsJson: string, traceparent: string): string {
  return `${before}${traceparent}"${fieldsJson === '{}' ? '' : ','}${fieldsJson.slice(1)}`;
}

/** Takes it out again. Nothing else can stand there: no operation has a parameter of that name. */
export function takeTraceparent(fieldsJson: string): { traceparent: string; rest: string } | undefined {
  const end = before.length + length;
  const traceparent = fieldsJson.startsWith(before)
    ? readTraceparent(fieldsJson.slice(before.length, end))
    : undefined;
  if (traceparent === undefined) return undefined;
  const behind = fieldsJson.slice(end + 1);
  return { traceparent, rest: behind === '}' ? '{}' : `{${behind.slice(1)}` };
}
