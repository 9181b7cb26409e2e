import { readFileSync } from 'node:fs';
import path from 'node:path';
import { guidePath, guideSections, guides } from './guide-list.ts';
import { escapeHtml, markdownFor, renderMarkdown } from './markdown.ts';
import { docs } from './pictures.ts';
import type { StaticPage } from './static-page.ts';

const rendered = () =>
  guides.map((guide) => ({
    guide,
    page: renderMarkdown(readFileSync(path.join(docs, guide.file), 'utf8'), guide.file),
  }));

/** The list of guides, and each guide. */
export function guidePages(): StaticPage[] {
  const all = rendered();
  const titles = new Map(all.map(({ guide, page }) => [guide.file, page.title]));
  return [
    indexPage(titles),
    ...all.map(({ guide, page }) => ({
      file: `${guidePath(guide.file).slice(1)}.html`,
      title: page.title,
      current: guidePath(guide.file),
      html: page.html,
      beside: contents(titles, guide.file),
    })),
  ];
}

/** Each guide as it was written, for programs that read; links lead to what a relay serves. */
export function guideTexts(): { file: string; text: string }[] {
  return guides.map(({ file }) => ({
    file: `${guidePath(file).slice(1)}.md`,
    text: markdownFor(readFileSync(path.join(docs, file), 'utf8'), file),
  }));
}

/** The list of what a program should read of this relay, by the convention of llmstxt.org. */
export function llmsText(): string {
  const titles = new Map(rendered().map(({ guide, page }) => [guide.file, page.title]));
  const sections = Object.entries(guideSections).map(([name, listed]) => {
    const lines = listed.map(
      ({ file, about }) => `- [${titles.get(file) ?? file}](${guidePath(file)}): ${about}`,
    );
    return `## ${name}\n\n${lines.join('\n')}`;
  });
  return `${[
    '# Tabletop Relay',
    '> An HTTP API for virtual tabletops: a call with an API key goes to the world that it names, and the world’s answer is the response. Assistants connect to `/mcp` by the Model Context Protocol.',
    'The guides are Markdown for who asks with `Accept: text/markdown`.',
    '## The API\n\n- [OpenAPI document](/openapi.json): every operation and endpoint\n- [AsyncAPI document](/asyncapi.json): the frames of modules and the event streams',
    ...sections,
  ].join('\n\n')}\n`;
}

/** The files of all pictures that guides show, from `docs/`. */
export const guidePictures = (): string[] => [...new Set(rendered().flatMap(({ page }) => page.pictures))];

/** Entries for the search of the reference: each guide and its sections. */
export function guideIndex(): { title: string; href: string }[] {
  return rendered().flatMap(({ guide, page }) =>
    page.headings
      .filter(({ level }) => level <= 3)
      .map(({ level, title, anchor }) => ({
        title: level === 1 ? title : `${page.title}: ${title}`,
        href: guidePath(guide.file) + (level === 1 ? '' : `#${anchor}`),
      })),
  );
}

function indexPage(titles: ReadonlyMap<string, string>): StaticPage {
  const sections = Object.entries(guideSections).map(([name, listed]) => {
    const rows = listed.map(
      ({ file, about }) =>
        `<li><a href="${guidePath(file)}"><strong>${escapeHtml(titles.get(file) ?? file)}</strong></a><br>${escapeHtml(about)}</li>`,
    );
    return `<h2>${escapeHtml(name)}</h2>\n<ul class="guides">${rows.join('\n')}</ul>`;
  });
  return {
    file: 'guides/index.html',
    title: 'Guides',
    current: '/guides',
    html: `<h1>Guides</h1>\n${sections.join('\n')}`,
  };
}

/** The list beside a guide. On a phone it stands under the guide. */
function contents(titles: ReadonlyMap<string, string>, current: string): string {
  const sections = Object.entries(guideSections).map(([name, listed]) => {
    const lines = listed.map(
      ({ file }) =>
        `<li><a href="${guidePath(file)}"${file === current ? ' aria-current="page"' : ''}>${escapeHtml(titles.get(file) ?? file)}</a></li>`,
    );
    return `<h2>${escapeHtml(name)}</h2><ul>${lines.join('\n')}</ul>`;
  });
  return `<nav class="contents" aria-label="Guides">${sections.join('\n')}</nav>`;
}
