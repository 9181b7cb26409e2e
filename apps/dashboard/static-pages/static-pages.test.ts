import { errors } from '@tabletop-relay/contract';
import type { ErrorEntry } from '@tabletop-relay/contract';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { errorPages } from './error-pages.ts';
import { guidePages, guidePictures } from './guide-pages.ts';
import { guides } from './guide-list.ts';
import { servedAt } from './links.ts';
import { pictureHtml, renderMarkdown } from './markdown.ts';
import { pictureFiles, picturePath } from './pictures.ts';
import { searchIndex } from './search-index.ts';
import { fillTemplate } from './static-page.ts';

const docs = path.join(import.meta.dirname, '../../../docs');

/** What engineers of the relay read in its repository; the three lists are served as pages of their own. */
const notServed = [
  /^(architecture|add-an-\w+|benchmarks|page-speed|performance|soak|streams-soak|tests)\.md$/,
  /^adr\//,
  /^reference\/(operations|account-api|errors)\.md$/,
];

test('every page of docs is a guide, or is known not to be one', () => {
  const files = globSync('**/*.md', { cwd: docs }).map((file) => file.split(path.sep).join('/'));
  const wanted = files.filter((file) => !notServed.some((pattern) => pattern.test(file)));
  expect(guides.map(({ file }) => file).sort()).toEqual(wanted.sort());
});

test.each(Object.entries<ErrorEntry>(errors))(
  'the page of %s says what it is and shows one',
  (code, entry) => {
    const page = errorPages().find(({ file }) => file === `errors/${code}.html`);
    const shown = page?.html.replaceAll(/<[^>]+>/g, '').replaceAll(/&#(\d+);|&quot;/g, '"') ?? '';
    expect(page?.title).toBe(entry.title);
    expect(shown).toContain(`${code}, status ${entry.status}`);
    expect(shown).toContain(`"type": "https://relay.example.com/errors/${code}"`);
  },
);

test.each(guides.map(({ file }) => file))('%s holds no drawing that relays cannot draw', (file) => {
  expect(readFileSync(path.join(docs, file), 'utf8')).not.toContain('```mermaid');
});

const pages = [...guidePages(), ...errorPages()];
const anchorsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

const served = new Map(
  pages.map(({ file, html }) => [`/${file.replace(/(\/index)?\.html$/, '')}`, anchorsOf(html)]),
);

test('no link of the dashboard to a guide leads nowhere', () => {
  const src = path.join(import.meta.dirname, '../src');
  const links = globSync('**/*.{ts,tsx}', { cwd: src })
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => [
      ...readFileSync(path.join(src, file), 'utf8').matchAll(/['"](\/guides\/[\w-]+)(?:#([\w-]+))?['"]/g),
    ]);
  expect(links.length).toBeGreaterThan(20);
  const broken = links.filter(
    ([, page = '', anchor]) =>
      page !== '/guides/index' && !(anchor ? served.get(page)?.includes(anchor) : served.has(page)),
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('no link of a page leads nowhere', () => {
  const broken = pages.flatMap(({ file, html, beside = '' }) =>
    [...(html + beside).matchAll(/href="([^"]+)"/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^(https?:|mailto:|\/docs|\/dashboard|\/openapi)/.test(link))
      .filter((link) => {
        const [target = '', anchor] = link.split('#');
        const anchors = target === '' ? anchorsOf(html) : served.get(target);
        return !anchors || (anchor !== undefined && !anchors.includes(anchor));
      })
      .map((link) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test.each(pages.map(({ file, html }) => [file, html] as const))(
  '%s has one title, leaves out no level of headings, and has words for each picture',
  (_file, html) => {
    const levels = [...html.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    for (const [image] of html.matchAll(/<img[^>]*>/g)) {
      expect(image).toMatch(/ alt="[^"]/);
      expect(image).toMatch(/ width="\d+" height="\d+"/);
    }
  },
);

test('no two pictures of guides have one path', () => {
  const paths = guidePictures().map(picturePath);
  expect(paths).not.toEqual([]);
  expect(paths.filter((name, index) => paths.indexOf(name) !== index)).toEqual([]);
});

describe('a picture', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'pictures-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const write = (name: string, width: number, height: number) => {
    const header = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000', 'hex');
    header.writeUInt32BE(width, 16);
    header.writeUInt32BE(height, 20);
    writeFileSync(path.join(root, name), header);
  };

  test('with another beside it for the dark theme is shown by theme, each with its size', () => {
    write('both.png', 480, 320);
    write('both.dark.png', 480, 322);
    expect(pictureHtml('A "b"', ...pictureFiles('both.png', 'x.md', root))).toBe(
      '<span class="picture"><img src="/guides/images/both.png" alt="A &#34;b&#34;" width="480" height="320" loading="lazy" class="on-light">' +
        '<img src="/guides/images/both.dark.png" alt="A &#34;b&#34;" width="480" height="322" loading="lazy" class="on-dark"></span>',
    );
  });

  test('alone is shown in both themes, from beside its page', () => {
    write('one.png', 960, 640);
    expect(pictureHtml('A', ...pictureFiles('../one.png', 'deep/x.md', root))).toBe(
      '<img src="/guides/images/one.png" alt="A" width="960" height="640" loading="lazy">',
    );
  });

  test('that is no PNG is refused by name', () => {
    writeFileSync(path.join(root, 'photo.jpg'), 'JFIF, whose size stands elsewhere');
    expect(() => pictureFiles('photo.jpg', 'x.md', root)).toThrow('photo.jpg is no PNG');
  });
});

test('what the search finds is there', () => {
  const index = searchIndex().filter(({ href }) => !href.startsWith('/docs/'));
  expect(index.length).toBeGreaterThan(100);
  for (const { href } of index) {
    const [target = '', anchor] = href.split('#');
    const page = pages.find(({ file }) => `/${file}` === `${target}.html`);
    expect(page, href).toBeDefined();
    expect([undefined, ...anchorsOf(page?.html ?? '')]).toContain(anchor);
  }
});

test('links lead to the page that a relay serves, and files that it does not serve are no links', () => {
  expect(servedAt('reference/operations.md#skill-check', 'integrations.md')).toBe('/docs/skill-check');
  expect(servedAt('../streams.md#filters', 'reference/events.md')).toBe('/guides/streams#filters');
  expect(servedAt('#own', 'streams.md')).toBe('#own');
  expect(servedAt('https://example.org', 'streams.md')).toBe('https://example.org');
  expect(servedAt('../apps/relay/src/main.ts', 'streams.md')).toBeUndefined();
  const { html } = renderMarkdown('[the code](../apps/main.ts) and [streams](streams.md)', 'integrations.md');
  expect(html).toContain('the code and <a href="/guides/streams">streams</a>');
});

test('two headings of the same words have anchors of their own', () => {
  const { headings } = renderMarkdown('# A\n\n## The `B`!\n\n## The B\n', 'x.md');
  expect(headings.map(({ anchor }) => anchor)).toEqual(['a', 'the-b', 'the-b-1']);
});

test('what is put into the document never becomes a part of another', () => {
  const template = '<title><!--title--></title><!--header--><!--page-->';
  const filled = fillTemplate(template, {
    file: 'x',
    title: 'a <b> $& <!--page-->',
    current: '/errors',
    html: '<p>$1</p>',
  });
  expect(filled).toContain('<title>a &#60;b&#62; $&#38; &#60;!--page--&#62; · Tabletop Relay</title>');
  expect(filled.match(/<p>\$1<\/p>/g)).toHaveLength(1);
});
