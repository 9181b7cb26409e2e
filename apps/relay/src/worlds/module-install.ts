import type { ModuleInstall, moduleInstallEndpoints } from '@tabletop-relay/contract';
import type { ShortLived } from '@tabletop-relay/headless';
import type { Logger } from 'pino';
import { newLongCode, readLongCode } from '../credentials/codes.ts';
import type { HandlersOf } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';

export interface ModuleInstallDeps {
  /** Of all instances. */
  shortLived: ShortLived;
  now(): number;
}

const lifetimeMs = 3_600_000;

/** The word of an account, which stands in the address that it installs the module from. */
interface Word {
  word: string;
  expiresAt: number;
}

const parts = ['manifest', 'package'] as const;
export type ModulePart = (typeof parts)[number];

const wordOf = (accountId: string) => `module-word:${accountId}`;
const lifeOf = (word: string) => `module-install:${word}`;
const askedAt = (word: string, part: ModulePart) => `module-install:${word}:${part}`;

export function moduleInstallHandlers({
  shortLived,
  now,
}: ModuleInstallDeps): HandlersOf<typeof moduleInstallEndpoints> {
  const find = async (accountId: string): Promise<Word | undefined> => {
    const text = await shortLived.read(wordOf(accountId));
    const kept = text === undefined ? undefined : (JSON.parse(text) as Word);
    return kept && kept.expiresAt > now() ? kept : undefined;
  };
  const make = async (accountId: string): Promise<Word> => {
    const made = { word: newLongCode().toLowerCase(), expiresAt: now() + lifetimeMs };
    await shortLived.put(lifeOf(made.word), String(made.expiresAt), lifetimeMs);
    const name = wordOf(accountId);
    const text = JSON.stringify(made);
    if (await shortLived.putNew(name, text, lifetimeMs)) return made;
    // Another request was first, and its word is told already; or what is there ends now.
    const kept = await find(accountId);
    if (!kept) await shortLived.put(name, text, lifetimeMs);
    return kept ?? made;
  };
  const describe = async (found: Word | undefined, publicUrl: string): Promise<ModuleInstall> => {
    const at = (word: string | undefined) =>
      [publicUrl, 'module', ...(word === undefined ? [] : [word]), 'module.json'].join('/');
    if (!found) return { manifestUrl: at(undefined), expiresAt: null, manifestAt: null, packageAt: null };
    const [manifestAt, packageAt] = await Promise.all(
      parts.map((part) => shortLived.read(askedAt(found.word, part))),
    );
    return {
      manifestUrl: at(found.word),
      expiresAt: new Date(found.expiresAt).toISOString(),
      manifestAt: manifestAt ?? null,
      packageAt: packageAt ?? null,
    };
  };
  return {
    async createModuleInstall(_input, { session: { accountId }, publicUrl }) {
      return await reaching(async () =>
        describe((await find(accountId)) ?? (await make(accountId)), publicUrl),
      );
    },
    async getModuleInstall(_input, { session: { accountId }, publicUrl }) {
      return await reaching(async () => describe(await find(accountId), publicUrl));
    },
  };
}

async function reaching<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new ProblemError('unavailable', 'The relay cannot look at the moment. Ask again.', { cause });
  }
}

/** Keeps when the module was downloaded by a word that the relay gave. Any other word leaves no trace, so that strangers cannot fill the store. */
export const createNoteDownload =
  ({ shortLived, now, log }: ModuleInstallDeps & { log: Logger }) =>
  async (typed: string, part: ModulePart): Promise<void> => {
    const word = readLongCode(typed)?.toLowerCase();
    if (word === undefined) return;
    try {
      const leftMs = Number(await shortLived.read(lifeOf(word))) - now();
      if (leftMs > 0) await shortLived.put(askedAt(word, part), new Date(now()).toISOString(), leftMs);
    } catch (error) {
      // The download itself needs no store.
      log.debug({ err: error }, 'a download of the module was not noted');
    }
  };
