import { readFileSync } from 'node:fs';
import path from 'node:path';
import { guidePath, guideSections, guides } from './guide-list.ts';
import { escapeHtml, renderMarkdown } from './markdown.ts';
import type { StaticPage } from './static-page.ts';

const docs = path.join(import.meta.dirname, '../../../docs');

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

/** Whether a picture of `docs/images` stands in a guide. */
export const guidesShow = (image: string): boolean =>
  rendered().some(({ page }) => page.html.includes(`"/guides/images/${image}"`));

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
