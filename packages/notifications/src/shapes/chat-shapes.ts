import { linesOf, titleOf } from '../message.ts';
import type { Message } from '../message.ts';

/** A world's title is a stranger's text: in none of these may it mention anybody, or look like more than text. */

const mostLines = 20;
/** Discord takes 2,000 characters, the others more. */
const mostLength = 1_900;

/** Discord mentions nobody where the message allows no mentions. */
export function discordBody(message: Message): object {
  return {
    username: 'Tabletop Relay',
    content: chatText(message, { bold: '**', escape: escapeMarkdown }),
    allowed_mentions: { parse: [] },
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
  return { text: chatText(message, { bold: '*', escape }) };
}

/** Mattermost reads a mention after every `@`, so a character that is not seen follows it. */
export function mattermostBody(message: Message): object {
  const escape = (text: string) => escapeMarkdown(text).replaceAll('@', '@\u200B');
  return { username: 'Tabletop Relay', text: chatText(message, { bold: '**', escape }) };
}

interface ChatStyle {
  bold: string;
  escape(text: string): string;
}

function chatText(message: Message, { bold, escape }: ChatStyle): string {
  const title = `${bold}${escape(titleOf(message))}${bold}`;
  const lines =
    message.events.length > 1 ? linesOf(message, mostLines).map((line) => `- ${escape(line)}`) : [];
  return cut([title, ...lines].join('\n'));
}

const escapeMarkdown = (text: string) => text.replaceAll(/[\\*_~`|>#[\]()<]/g, '\\$&');

const cut = (text: string) =>
  text.length > mostLength ? `${text.slice(0, mostLength).toWellFormed()} …` : text;
