import {
  callerChannelNames,
  callerCloseCodes,
  callerEventTypes,
  callerFrames,
  callerRelayFrames,
  channels,
  closeCodes,
  frameErrors,
  moduleFrames,
  relayFrames,
} from '../../../packages/contract/src/index.ts';
import { code, codes, fieldRows, page, table } from '../markdown.ts';
import type { SchemaText } from '../markdown.ts';

/** `docs/reference/module-frames.md`. */
export function framesPage(): string {
  return page(
    'Frames of the module socket',
    '`packages/contract/src/frames/frames.ts`, `frames/close-codes.ts` and `events/channels.ts`',
    'How they are used: [module protocol](../module-protocol.md). The commands themselves: [operations](operations.md). The same as AsyncAPI 3.0 at `/asyncapi.json` of every relay.',
    frameList('From the module', moduleFrames),
    frameList('From the relay', relayFrames),
    `## Codes of an \`error\` frame\n\n${table(
      ['code', 'meaning'],
      Object.entries(frameErrors).map(([name, meaning]) => [code(name), meaning]),
    )}`,
    `## Channels\n\n${table(
      ['channel', 'frame', 'name in `event-subscription-update`', 'known events, as listeners see them'],
      Object.entries(channels).map(([name, { frame, wire, events }]) => [
        code(name),
        code(frame),
        code(wire),
        codes(Object.keys(events)),
      ]),
    )}`,
    `## Close codes\n\n${closeCodeTable()}`,
  );
}

/** `docs/reference/socket-frames.md`. */
export function callerFramesPage(): string {
  return page(
    'Frames of the callers’ socket',
    '`packages/contract/src/frames/caller-frames.ts` and `frames/caller-close-codes.ts`',
    'How they are used: [one socket for everything](../socket.md). The calls themselves: [operations](operations.md), each by its name as `type`. The same as AsyncAPI 3.0 at `/asyncapi.json` of every relay.',
    frameList('From the caller', callerFrames),
    frameList('From the relay', callerRelayFrames),
    `## Channels\n\n${table(
      ['channel', 'name in `connected`', 'type of its events'],
      Object.entries(callerEventTypes).map(([name, type], index) => [
        code(name),
        code(callerChannelNames[index] ?? ''),
        code(type),
      ]),
    )}`,
    `## Close codes\n\n${table(
      ['close code', 'meaning', 'come back?'],
      Object.values(callerCloseCodes).map(({ code: number, meaning, retry }) => [
        String(number),
        meaning,
        {
          no: 'no',
          'back-off': 'yes, later each time',
          'as-told': 'yes, after `retryAfterMs` of `going-away`',
        }[retry],
      ]),
    )}`,
  );
}

/** The rows that docs/module-protocol.md has too. */
export function closeCodeTable(): string {
  return table(
    ['close code', 'meaning', 'what the module does'],
    Object.values(closeCodes).map(({ code: number, meaning, advice }) => [
      String(number),
      meaning,
      advice.replaceAll('-', ' '),
    ]),
  );
}

function frameList(title: string, frames: Record<string, unknown>): string {
  const sections = Object.entries(frames as Record<string, SchemaText>).map(([type, schema]) => {
    const rows = fieldRows(schema).filter(([name]) => name !== code('type'));
    const fields = rows.length > 0 ? `\n\n${table(['field', 'type', 'meaning'], rows)}` : '';
    return `### ${type}\n\n${schema.description ?? ''}${fields}`;
  });
  return [`## ${title}`, ...sections].join('\n\n');
}
