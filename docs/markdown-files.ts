import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..');

/** A page by its path from the repository's root. */
export function readPage(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}

/** The pages at the root, every page under docs and the README of each package. */
export function listPages(): string[] {
  return globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root });
}

/** The headings of a page, as they read and as links name them. */
export function headingsOf(text: string): { level: number; title: string; anchor: string }[] {
  const matches = withoutFences(text).matchAll(/^(#{1,6}) (.+)$/gm);
  return [...matches].map(([, marks = '', title = '']) => ({
    level: marks.length,
    title,
    anchor: anchorOf(title),
  }));
}

/** Targets of a page's links and pictures that are not addresses of elsewhere. */
export function relativeLinksOf(text: string): string[] {
  const matches = withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g);
  return [...matches].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** The text of the fenced block that is marked `run=<name>`. */
export function exampleIn(text: string, name: string): string {
  const match = new RegExp(`^\`\`\`\\w+ run=${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text);
  if (!match) throw new Error(`no example by the name ${name}`);
  return match[1] as string;
}

/** The texts of all fenced blocks of a language. */
export function examplesIn(text: string, language: string): string[] {
  const matches = text.matchAll(new RegExp(`^\`\`\`${language}\\b.*\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...matches].map(([, example = '']) => example);
}

/** The names of all examples of a page that are marked to be run. */
export function exampleNames(text: string): string[] {
  return [...text.matchAll(/^```\w+ run=(\S+)$/gm)].map(([, name = '']) => name);
}

function withoutFences(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
