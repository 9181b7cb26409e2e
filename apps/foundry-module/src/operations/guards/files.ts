import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';

/** The parts of a path within the tabletop's own files. */
export function partsOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//') || path.includes('\\');
  const isOdd = Array.from(path).some((letter) => letter < ' ' || letter === '?' || letter === '#');
  if (isElsewhere || isOdd || parts.includes('..')) {
    throw new OperationRefused(`${path} leads out of the tabletop's files`, 'invalid_parameters');
  }
  return parts;
}

/** Where the tabletop keeps its code and its data: packages, and of each world all but folders that hold files. */
const kept = ['modules', 'systems'];
const keptOfWorlds = ['data', 'packs'];

/**
 * Refuses places where a file would change the tabletop itself, or this module. Servers differ in what they make of capitals, dots, short names,
 * streams, escapes, and signs that are not seen.
 */
export function assertPlace(source: string, path: string): void {
  if (source !== 'data' && source !== 'public') return;
  const parts = partsOf(path).map((part) =>
    part
      .normalize('NFKC')
      .replaceAll(/\p{C}/gu, '')
      .toLowerCase()
      .replaceAll(/^\s+|[.\s]+$/g, ''),
  );
  const [first = '', , third] = parts;
  const isKept =
    kept.includes(first) ||
    (first === 'worlds' && (parts.length < 4 || keptOfWorlds.includes(third ?? ''))) ||
    parts.some((part) => /~\d|%[\da-f]{2}|:/.test(part));
  if (!isKept && source === 'data') return;
  throw new OperationRefused(
    `Programs put no files at ${path}: the tabletop keeps its own there`,
    'not_allowed',
  );
}

/** The tabletop serves what is uploaded from its own origin, where these run as its own pages and scripts. */
const running = new Set([
  'html',
  'htm',
  'xhtml',
  'xht',
  'xml',
  'xsl',
  'svg',
  'svgz',
  'js',
  'mjs',
  'cjs',
  'wasm',
]);

/** What files of these kinds have at their beginning, as hexadecimal digits; `.` is any. */
const beginnings: Readonly<Record<string, string>> = {
  png: '89504e47',
  jpg: 'ffd8ff',
  jpeg: 'ffd8ff',
  gif: '47494638',
  webp: '52494646........57454250',
  bmp: '424d',
  avif: '........66747970',
  mp4: '........66747970',
  m4a: '........66747970',
  m4v: '........66747970',
  webm: '1a45dfa3',
  ogg: '4f676753',
  oga: '4f676753',
  opus: '4f676753',
  flac: '664c6143',
  wav: '52494646........57415645',
  mp3: '(494433|ff[ef].)',
  pdf: '25504446',
};

/** Refuses files that browsers would run, that the tabletop does not take, and those that are not what their name says. */
export function assertUploadable(name: string, bytes: Uint8Array): void {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (running.has(extension)) {
    throw new OperationRefused(
      `A browser would run ${name} as a part of the tabletop: such files are not taken`,
      'not_allowed',
    );
  }
  if (!Object.hasOwn(tabletop.CONST.UPLOADABLE_FILE_EXTENSIONS, extension)) {
    throw new OperationRefused(`The tabletop takes no files that end in .${extension}`, 'invalid_data');
  }
  if (!Object.hasOwn(beginnings, extension)) return;
  const start = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (new RegExp(`^${beginnings[extension]}`).test(start)) return;
  throw new OperationRefused(`${name} is no file of that kind`, 'invalid_data');
}
