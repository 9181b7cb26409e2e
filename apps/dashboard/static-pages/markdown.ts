import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import json from 'highlight.js/lib/languages/json';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { Marked } from 'marked';
import type { Tokens } from 'marked';
import { servedAt } from './links.ts';
import { pictureFiles, picturePath } from './pictures.ts';
import type { PictureFile } from './pictures.ts';

const languages = { bash, http, ini, json, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(['sh', 'console'], { languageName: 'bash' });
hljs.registerAliases(['env', 'cfg', 'haproxy'], { languageName: 'ini' });

export interface Heading {
  level: number;
  title: string;
  anchor: string;
}

export interface RenderedPage {
  title: string;
  html: string;
  headings: Heading[];
  /** The files of its pictures, from `docs/`. */
  pictures: string[];
}

/** A page of `docs/` as HTML. The pages are our own, so what HTML they hold is let through. */
export function renderMarkdown(text: string, file: string): RenderedPage {
  const headings: Heading[] = [];
  const anchors = new Map<string, number>();
  const pictures: string[] = [];
  const marked = new Marked({
    renderer: {
      heading(token) {
        const html = this.parser.parseInline(token.tokens);
        const title = plainText(html);
        const heading = { level: token.depth, title, anchor: unusedAnchor(title, anchors) };
        headings.push(heading);
        return `<h${token.depth} id="${heading.anchor}">${html}</h${token.depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = servedAt(href, file);
        return target === undefined ? words : `<a href="${escapeHtml(target)}">${words}</a>`;
      },
      image({ href, text: words }) {
        const [light, dark] = pictureFiles(href, file);
        pictures.push(light.file, ...(dark ? [dark.file] : []));
        return pictureHtml(words, light, dark);
      },
      code: ({ text: code, lang = '' }) => codeBlock(code, lang.split(' ')[0] ?? ''),
      table(token) {
        return `<div class="wide" tabindex="0" role="group" aria-label="Table">${tableHtml(token, (cell) => this.parser.parseInline(cell.tokens))}</div>\n`;
      },
    },
  });
  const html = marked.parse(text.replaceAll(/<!--[\s\S]*?-->/g, ''), { async: false });
  return { title: headings[0]?.title ?? file, html, headings, pictures };
}

/** A page of `docs/` as text: links and pictures by the addresses of a relay, without our comments. */
export const markdownFor = (text: string, file: string): string =>
  text
    .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
    .replaceAll(
      /!\[([^\]]*)\]\(([^)\s]+)\)/g,
      (_, words: string, image: string) => `![${words}](${picturePath(image)})`,
    )
    .replaceAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, link: string) => {
      const target = servedAt(link, file);
      return target === undefined ? words : `[${words}](${target})`;
    });

/** Code with its words marked by classes; the copy button is added in the browser. */
export function codeBlock(code: string, language: string): string {
  const html = hljs.getLanguage(language)
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : escapeHtml(code);
  return `<div class="snippet"><pre tabindex="0"><code>${html}</code></pre></div>\n`;
}

/**
 * A picture that has one for each theme: the style sheet shows the page's own. A `<source>` asks for the system's theme alone, and
 * pages have a switch. Browsers load neither what is not shown nor what is not scrolled to.
 */
export function pictureHtml(words: string, light: PictureFile, dark?: PictureFile): string {
  if (!dark) return imageHtml(words, light);
  return `<span class="picture">${imageHtml(words, light, 'on-light')}${imageHtml(words, dark, 'on-dark')}</span>`;
}

function imageHtml(
  words: string,
  { file, width, height }: PictureFile,
  shown?: 'on-light' | 'on-dark',
): string {
  const size = `width="${width}" height="${height}"`;
  return `<img src="${escapeHtml(picturePath(file))}" alt="${escapeHtml(words)}" ${size} loading="lazy"${shown ? ` class="${shown}"` : ''}>`;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function tableHtml({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The anchor that links to a heading name, as GitHub makes it. */
function unusedAnchor(title: string, taken: Map<string, number>): string {
  const anchor = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const count = taken.get(anchor) ?? 0;
  taken.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}
