import { randomBytes } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkRelayConfig, RelayConfigSchema } from '../apps/relay/src/config.ts';
import { announcement } from '../apps/standalone/src/announcement.ts';
import { addresses, connectionWords, errors } from '../packages/contract/src/index.ts';
import type { ToldEvent } from '../packages/contract/src/index.ts';
import { standardBody } from '../packages/notifications/src/shapes/standard-shape.ts';
import { describeConfig, readConfig, removedSettings } from '../packages/process/src/index.ts';
import { closeCodeTable } from './generator/pages/frames.ts';
import { referenceFiles } from './generator/reference.ts';
import {
  exampleIn,
  exampleNames,
  examplesIn,
  headingsOf,
  listPages,
  readPage,
  relativeLinksOf,
  root,
} from './markdown-files.ts';

describe('a generated file', () => {
  it.each(Object.entries(referenceFiles()))(
    '%s is what the code says: else run pnpm docs:generate',
    (name, text) => {
      expect(readPage(name)).toBe(text);
    },
  );
});

it('the figures of the ASVS table are those of its rows', () => {
  const page = readPage('docs/security.md');
  const figures =
    /(\d+) requirements\. (\d+) held at the first look\. The table lists (\d+):[^.]*\. (\d+) do not apply/s;
  const [all = 0, held = 0, listed = 0, others = 0] = (figures.exec(page) ?? []).slice(1).map(Number);
  // As the standard numbers them: 10.3.1 to 10.3.3 are three.
  const ids = page.split('\n').flatMap((line) => {
    const [, first = ''] = /^\| (\d+\.\d+\.\d+[^|]*)\|/.exec(line) ?? [];
    return [...first.matchAll(/(\d+\.\d+)\.(\d+)(?: to \d+\.\d+\.(\d+))?/g)].flatMap(
      ([, section, from, to = from]) =>
        Array.from(
          { length: Number(to) - Number(from) + 1 },
          (_, index) => `${section}.${Number(from) + index}`,
        ),
    );
  });
  expect(new Set(ids).size).toBe(ids.length);
  // 70 of level 1 and 183 of level 2.
  expect([all, listed]).toEqual([253, ids.length]);
  expect(held + listed + others).toBe(all);
});

it('every example that is marked to be run is run, here, in deploy/test or in the tests of backups and of the SDKs’ packages', () => {
  const marked = listPages().flatMap((name) => exampleNames(readPage(name)));
  const tests = globSync('{docs,deploy/test,packages/sdk*/test,apps/relay/test/backup}/**/*.test.ts', {
    cwd: root,
  })
    .map(readPage)
    .join('');
  expect(marked.filter((name) => !tests.includes(`'${name}')`) && !tests.includes(`'${name}', `))).toEqual(
    [],
  );
  expect(marked).not.toEqual([]);
});

const readmeColumns = 120;

describe('a page', () => {
  it.each(listPages())('%s links only to what is there', (name) => {
    const broken = relativeLinksOf(readPage(name)).filter((link) => !leadsSomewhere(name, link));
    expect(broken).toEqual([]);
  });

  it.each(listPages())('%s names only source files that are there', (name) => {
    expect(sourceNamesIn(readPage(name)).filter((file) => !isSource(file))).toEqual([]);
  });

  it.each(listPages())('%s names only endpoints of the account API that there are', (name) => {
    // Pages write a text of the path as `<id>` or `:id`.
    const plain = (address: string) => address.replaceAll(/<\w+>|:\w+/g, ':');
    const known = Object.values<string>(addresses).map(plain);
    const named = readPage(name).matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/(?:auth|admin)\/[\w/:<>-]+/g);
    expect(
      [...named].map(([address]) => plain(address)).filter((address) => !known.includes(address)),
    ).toEqual([]);
  });

  it('of failure modes has a heading for each error code, and for no other', () => {
    const headings = headingsOf(readPage('docs/failure-modes.md')).filter(({ level }) => level === 3);
    expect(headings.map(({ title }) => title).toSorted()).toEqual(Object.keys(errors).toSorted());
  });

  it('of the module protocol has the close codes of the contract', () => {
    expect(withoutPadding(readPage('docs/module-protocol.md'))).toContain(withoutPadding(closeCodeTable()));
  });

  it('on adding an operation shows the groups that tests add', () => {
    const page = readPage('docs/add-an-operation.md');
    const added = readPage('apps/relay/test/calls/add-an-operation.int.test.ts');
    expect(added).toContain(exampleIn(page, 'literal'));
    const withFiles = readPage('apps/relay/test/calls/operation-files.int.test.ts');
    expect(withFiles).toContain(exampleIn(page, 'files'));
  });

  it('on adding an endpoint shows the literal and the handler that a test adds', () => {
    const shown = exampleIn(readPage('docs/add-an-endpoint.md'), 'endpoint');
    expect(readPage('apps/relay/test/http/add-an-endpoint.int.test.ts')).toContain(shown);
  });

  it('on deploying has settings that a relay takes', () => {
    const env = parseEnv(exampleIn(readPage('docs/operations/deploy.md'), 'settings'));
    expect(() => readConfig(RelayConfigSchema, env, checkRelayConfig)).toThrow('RELAY_SECRET is the sample');
    env['RELAY_SECRET'] = randomBytes(32).toString('base64');
    expect(readConfig(RelayConfigSchema, env, checkRelayConfig)).toMatchObject({ opsPort: 9464 });
    const known = describeConfig(RelayConfigSchema).map(({ name }) => name);
    expect(Object.keys(env).filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(listPages().filter((page) => page !== 'CHANGELOG.md'))(
    '%s names no setting that was removed',
    (name) => {
      const page = readPage(name);
      const gone = Object.values(removedSettings).flat();
      expect(gone.filter((setting) => new RegExp(String.raw`\b${setting}\b`).test(page))).toEqual([]);
    },
  );

  it('named CHANGELOG has the value at which each removed setting is fixed', () => {
    const page = readPage('CHANGELOG.md');
    const gone = Object.values(removedSettings).flat();
    expect(gone.filter((setting) => !new RegExp(`^\\| \`${setting}\` +\\| \\S`, 'm').test(page))).toEqual([]);
  });

  it('on deploying has the rules of the haproxy that the rolling restart is tested behind', () => {
    const shown = exampleIn(readPage('docs/operations/deploy.md'), 'haproxy');
    const tested = readPage('deploy/proxy/haproxy.cfg');
    // The containers' has names for hosts, and no certificate.
    const rules = shown
      .split('\n')
      .filter(
        (line) =>
          line.startsWith('  ') && !/^ {2}(bind|server|default-server|http-request redirect)/.test(line),
      );
    expect(rules.length).toBeGreaterThan(25);
    expect(rules.filter((rule) => !tested.includes(`${rule}\n`))).toEqual([]);
    const [checks] = /default-server .*/.exec(shown) ?? [];
    expect(tested).toContain(`${checks} `);
  });

  it('named README shows what a start prints', () => {
    const shown = exampleIn(readPage('README.md'), 'start');
    const value = (pattern: RegExp) => pattern.exec(shown)?.[1] ?? '';
    const printed = announcement({
      relayUrl: 'http://localhost:3010',
      dataDir: value(/Data +(.+)/),
      demo: {
        account: {
          email: 'demo@localhost',
          password: value(/Sign in +\S+ +(.+)/),
          apiKey: value(/API key +(.+)/),
          worldPassword: value(/World log-in +\S+ +\S+ +(.+)/),
        },
        clientId: value(/clientId=(\w+)/),
        worldUrl: 'http://127.0.0.1:3011/',
        logIn: { url: 'http://localhost:3011/login', user: 'Ada' },
        overlayKey: value(/&key=(\w+)/).padEnd(44, 'x'),
        signInSecret: value(/#link=(\S+)/),
      },
    });
    // A link that is longer than a line of the page ends with dots there.
    const cut = (line: string) =>
      line.length > readmeColumns ? `${line.slice(0, readmeColumns - 1)}…` : line;
    const lines = stripVTControlCharacters(printed).trim().split('\n');
    expect(lines.map(cut).join('\n')).toBe(shown.trim());
  });

  it('named README tells how all tests and the other checks are run, with the pnpm that CI runs', () => {
    const [pnpm = ''] = /npx -y pnpm@[\d.]+/.exec(readPage('.ci/run')) ?? [];
    for (const script of ['start', 'install', 'test', 'check'])
      expect(readPage('README.md')).toMatch(new RegExp(`${pnpm} ${script}\\b`));
    expect(pnpm).not.toBe('');
  });

  it('named README has at most 100 lines of at most 120 columns', () => {
    const lines = readPage('README.md').trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(100);
    expect(lines.filter((line) => line.length > readmeColumns)).toEqual([]);
  });

  it('named glossary has thirty-three words', () => {
    const rows = readPage('docs/glossary.md').match(/^\| (?!word|-).*$/gm);
    expect(rows).toHaveLength(33);
  });

  it('on performance has at most 150 lines', () => {
    expect(readPage('docs/performance.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});

/** `apps/a/src/b.ts`, or the end of a path: `b.ts`. */
/** A name that ends with `.mjs` is a file of the reader, unless it begins with a dot. */
function sourceNamesIn(text: string): string[] {
  return [...text.matchAll(/`([\w./-]+\.ts|\.[\w-]+\.mjs)`/g)].map(([, file = '']) => file);
}

const sources = globSync(['*.ts', '.*.mjs', '{apps,packages,deploy,docs}/**/*.ts'], {
  cwd: root,
  exclude: ['**/node_modules', '**/dist'],
});

const isSource = (name: string) => sources.some((file) => file === name || file.endsWith(`/${name}`));

function leadsSomewhere(from: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? from : path.join(path.dirname(from), target);
  if (!existsSync(path.join(root, file))) return false;
  if (anchor === undefined) return true;
  return file.endsWith('.md') && headingsOf(readPage(file)).some((heading) => heading.anchor === anchor);
}

/** Prettier pads the tables of pages that people write. */
function withoutPadding(text: string): string {
  return text
    .replaceAll(/ +/g, ' ')
    .replaceAll(/-{3,}/g, '---')
    .replaceAll('| --- ', '|---')
    .replaceAll('---|', '---|');
}

it('the message that the page on notifications shows is one that a webhook gets', () => {
  const [text = ''] = examplesIn(readPage('docs/notifications.md'), 'json');
  const example = JSON.parse(text) as {
    timestamp: string;
    data: { events: ToldEvent[]; eventCount: number };
  };
  const { timestamp, data } = example;
  expect(standardBody({ id: '', at: new Date(timestamp), ...data })).toEqual(example);
  expect(data.events.reduce((sum, { count }) => sum + count, 0)).toBe(data.eventCount);
  const world = { worldTitle: 'Curse of Strahd', tokenName: 'Firefox on Linux', mismatch: [], attempts: 1 };
  const sentences = ['connected', 'disconnected'].map(
    (outcome) => connectionWords({ ...world, outcome, metadataMatch: null }).sentence,
  );
  expect(data.events.map(({ sentence }) => sentence)).toEqual(sentences);
});
