import type { MailMessage } from '../mail.ts';
import { linesOf, titleOf } from '../message.ts';
import type { Message } from '../message.ts';
import { withoutLinks } from './without-links.ts';

const mostLines = 50;
const mostSubjectLength = 150;

/** The mail of a message. `domain` makes its id one that no other relay gives. */
export function mailOf(message: Message, to: string, domain: string): MailMessage & { html: string } {
  const title = withoutLinks(titleOf(message));
  const lines = linesOf(message, mostLines).map(withoutLinks);
  const { settingsUrl } = message;
  const footer = settingsUrl ? `What you are told of, and where: ${settingsUrl}` : '';
  return {
    to,
    subject:
      title.length > mostSubjectLength ? `${title.slice(0, mostSubjectLength).toWellFormed()} …` : title,
    text: [...lines, footer].filter(Boolean).join('\n\n'),
    html: htmlOf(lines, settingsUrl),
    messageId: `<${message.id}@${domain}>`,
  };
}

function htmlOf(lines: readonly string[], settingsUrl: string | undefined): string {
  const paragraphs = lines.map((line) => `<p style="margin:0 0 12px">${escapeHtml(line)}</p>`);
  const footer = settingsUrl
    ? `<p style="margin:24px 0 0;font-size:13px"><a href="${escapeHtml(settingsUrl)}">What you are told of, and where</a></p>`
    : '';
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>',
    '<body style="font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:24px auto;padding:0 16px">',
    ...paragraphs,
    footer,
    '</body></html>',
  ].join('\n');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
