import type { Flood } from './flood.ts';
import type { FloodRig } from './rig.ts';
import type { FloodTask } from './task.ts';

/** About what a key may call in a minute: four a second for the share of a minute in which it floods. */
const perSecond = 4;
/** Just below what `/upload` takes, and what other operations take. */
const largestUpload = 14_000_000;
const largestBody = 1_000_000;

/** The calls of a tenant with a right key, for a world of its own. */
const call = (
  { attackerKey, nextWorld }: FloodRig,
  { path, type, ...task }: Pick<FloodTask, 'body' | 'size'> & { path: string; type: string },
) => ({
  kind: 'requests' as const,
  addresses: 1,
  perSecond,
  method: 'POST',
  path: `${path}?clientId=${nextWorld().clientId}`,
  headers: { 'x-api-key': attackerKey, 'content-type': type },
  ...task,
});

const json = 'application/json';
const urlEncoded = 'application/x-www-form-urlencoded';

/** Objects of which no two have the same key: the parser keeps a shape for each. */
const manyShapes = (): string => {
  const objects: string[] = [];
  for (let length = 0; length < largestBody - 20; length += objects.at(-1)!.length + 1)
    objects.push(`{"${objects.length.toString(36)}a":0}`);
  return `{"data":[${objects.join()}]}`;
};

const manyKeys = (): string => {
  const keys: string[] = [];
  for (let length = 0; length < largestBody - 20; length += keys.at(-1)!.length + 1)
    keys.push(`"${keys.length.toString(36)}":0`);
  return `{"data":{${keys.join()}}}`;
};

/** For each parser of what callers send, what it is slowest at. */
export const parserFloods: readonly Flood[] = [
  {
    title: 'forms of nothing but boundaries, 14 MB each',
    task: (rig) =>
      call(rig, {
        path: '/upload',
        type: 'multipart/form-data; boundary=X',
        body: '--X\r\n',
        size: largestUpload,
      }),
  },
  {
    title: 'forms of nothing but line breaks, 14 MB each',
    task: (rig) =>
      call(rig, {
        path: '/upload',
        type: 'multipart/form-data; boundary=X',
        body: '\r\n',
        size: largestUpload,
      }),
  },
  {
    title: 'JSON of nothing but brackets, 14 MB each',
    task: (rig) => call(rig, { path: '/upload', type: json, body: '[', size: largestUpload }),
  },
  {
    title: 'JSON of nothing but short texts, 14 MB each',
    task: (rig) => call(rig, { path: '/upload', type: json, body: '"","",', size: largestUpload }),
  },
  {
    title: 'JSON of nothing but brackets, 1 MB each',
    task: (rig) => call(rig, { path: '/update', type: json, body: '[', size: largestBody }),
  },
  {
    title: 'JSON of many shapes, 1 MB each',
    task: (rig) => call(rig, { path: '/sys5e/skill-check', type: json, body: manyShapes() }),
  },
  {
    title: 'JSON of many keys, 1 MB each',
    task: (rig) => call(rig, { path: '/sys5e/skill-check', type: json, body: manyKeys() }),
  },
  {
    title: 'URL-encoded forms, 1 MB each',
    task: (rig) =>
      call(rig, { path: '/sys5e/skill-check', type: urlEncoded, body: 'a=%41&', size: largestBody }),
  },
  {
    title: 'query strings of 15 KB, 200 a second',
    task: () => ({
      kind: 'requests',
      addresses: 4,
      perSecond: 200,
      path: `/players?${'a=%41&a[]=+&'.repeat(1_250)}`,
    }),
  },
];
