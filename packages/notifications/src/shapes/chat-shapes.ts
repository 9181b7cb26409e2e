import { linesOf, titleOf } from '../message.ts';
import type { Message } from '../message.ts';
import { withoutLinks } from './without-links.ts';

/** A world's title is a stranger's text: in none of these may it mention anybody, be a link, or look like more than text. */

const mostLines = 20;
/** Discord takes 2,000 characters, the others more. */
const mostLength = 1_900;

/** Of Discord's flags of a message: it shows no preview of a page. */
const suppressEmbeds = 4;

/** Discord mentions nobody where the message allows no mentions. */
export function discordBody(message: Message): object {
  return {
    username: 'Tabletop Relay',
    content: chatText(message, { bold: '**', escape: escapeMarkdown }),
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
  };
}

/** In Slack, mentions and links are written in angle brackets. */
export function slackBody(message: Message): object {
  const escape = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[*_~`]/g, '$&\u200B');
  return { text: chatText(message, { bold: '*', escape }), unfurl_links: false, unfurl_media: false };
}

/** Mattermost reads a mention after every `@`, also where a message allows none. */
export function mattermostBody(message: Message): object {
  return {
    username: 'Tabletop Relay',
    text: chatText(message, { bold: '**', escape: escapeMarkdown }),
  };
}

interface ChatStyle {
  bold: string;
  escape(text: string): string;
}

function chatText(message: Message, { bold, escape }: ChatStyle): string {
  const plain = (text: string) => escape(withoutLinks(text));
  const title = `${bold}${plain(titleOf(message))}${bold}`;
  const lines =
    message.events.length > 1 ? linesOf(message, mostLines).map((line) => `- ${plain(line)}`) : [];
  return cut([title, ...lines].join('\n'));
}

const escapeMarkdown = (text: string) => text.replaceAll(/[\\*_~`|>#[\]()<]/g, '\\$&');

const cut = (text: string) =>
  text.length > mostLength ? `${text.slice(0, mostLength).toWellFormed()} …` : text;
