import { escapeHtml } from './markdown.ts';

/** A page that is written when the dashboard is built. */
export interface StaticPage {
  /** From the folder of the build. */
  file: string;
  title: string;
  /** Its place among the pages, for the header. */
  current: string;
  /** What the page says, its title included. */
  html: string;
  /** The list beside it. */
  beside?: string;
}

const pages = [
  ['/docs', 'API reference'],
  ['/guides', 'Guides'],
  ['/errors', 'Errors'],
] as const;

/** The head of the reference, the guides and the error pages. */
export function headerHtml(current: string): string {
  const links = pages.map(([href, word]) => {
    const isHere = current === href || current.startsWith(`${href}/`);
    return `<a href="${href}"${isHere ? ' aria-current="page"' : ''}>${word}</a>`;
  });
  return `<a class="skip" href="#content">Skip to the content</a>
<header class="head">
<a class="brand" href="/docs" aria-label="Tabletop Relay">${mark}<span class="brand-name">Tabletop Relay</span></a>
<nav aria-label="Pages">${links.join('')}</nav>
<div class="tools"><span id="palette"></span><a href="/dashboard">Dashboard</a><span id="theme"></span><span id="account-entry"></span></div>
</header>`;
}

const mark = `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" class="mark"><path d="M12 1l9.5 5.5v11L12 23l-9.5-5.5v-11z"/><path class="wave" d="M8 15.5a5.6 5.6 0 0 1 8 0M5.6 12.6a9 9 0 0 1 12.8 0"/><circle class="source" cx="12" cy="18" r="1.4"/></svg>`;

/** Puts a page into the built document, which names the script and the styles by their hashed names. */
export function fillTemplate(template: string, { title, current, html, beside = '' }: StaticPage): string {
  return template
    .replace('<!--title-->', () => `${escapeHtml(title)} · Tabletop Relay`)
    .replace('<!--header-->', () => headerHtml(current))
    .replace(
      '<!--page-->',
      () =>
        `<div class="beside${beside ? '' : ' alone'}">${beside}<main id="content" class="guide">${html}</main></div>`,
    );
}
