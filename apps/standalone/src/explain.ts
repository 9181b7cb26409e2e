import { SchemaVersionError, StartError } from '@tabletop-relay/database';
import { CannotStart, ConfigError, explainListening } from '@tabletop-relay/process';
import type { Listening } from '@tabletop-relay/process';
import { RelayError } from '@tabletop-relay/sdk';

type Failure = Listening & { severity?: string };

/** What kept a start from its end, in words where a person can mend it. A bug has its stack. */
export function explain(error: unknown): string {
  const isExplained = [CannotStart, ConfigError, SchemaVersionError, StartError].some(
    (known) => error instanceof known,
  );
  if (isExplained) return (error as Error).message;
  if (error instanceof RelayError)
    return `the demo account could not be used (${error.detail}). Set DEMO=off, or choose another DATA_DIR.`;
  if (!(error instanceof Error)) return String(error);
  const failure = error as Failure;
  if (failure.syscall === 'listen') return explainListening(failure, 'PORT or DEMO_PORT');
  // `severity` is in what Postgres itself says.
  if (failure.severity !== undefined)
    return `Postgres refused it: ${failure.message} (${failure.code}). Correct DATABASE_URL or MIGRATE_DATABASE_URL, or the rights of their roles.`;
  return findMendable(failure.message) ?? failure.stack ?? failure.message;
}

/** By the code that Node, SQLite, a build or Postgres puts into its message. */
const mendable: readonly [pattern: RegExp, words: string][] = [
  [/ENOSPC|EDQUOT|No space left on device|disk is full/i, 'the disk is full'],
  [/EROFS|Read-only file system|readonly database/i, 'it may not write there: the file system is read-only'],
  [/EACCES|EPERM|Permission denied/i, 'it lacks the permission to write there'],
  [/ENOTDIR|EEXIST/, 'what is there is no folder'],
  [/EMFILE|ENFILE|Too many open files/i, 'too many files are open: raise `ulimit -n`'],
  [/spawn pnpm ENOENT/, 'pnpm is not there: start with `npx -y pnpm@10.34.9 start`'],
];

/** The words for what a person can mend, with the file or folder that the message names. */
export function findMendable(message: string): string | undefined {
  const found = mendable.find(([pattern]) => pattern.test(message));
  if (!found) return undefined;
  const [, place] = /'([^'\n]*\/[^'\n]*)'|"([^"\n]*\/[^"\n]*)"/.exec(message) ?? [];
  return place === undefined ? found[1] : `${found[1]} (${place})`;
}
