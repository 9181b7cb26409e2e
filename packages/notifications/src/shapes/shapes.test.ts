import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { readableAnswer, readRetryAfter } from '../delivery.ts';
import type { Message } from '../message.ts';
import { discordBody, mattermostBody, slackBody } from './chat-shapes.ts';
import { mailOf } from './mail-shape.ts';
import { createWebhookSecret, standardBody, standardHeaders } from './standard-shape.ts';

const firstAt = '2026-11-20T20:31:00.000Z';
const told = (sentence: string, count = 1, lastAt = firstAt) => ({
  event: 'connect' as const,
  sentence,
  clientId: 'a',
  count,
  firstAt,
  lastAt,
});
const message = (...events: Message['events'][number][]): Message => ({
  id: '01abc',
  at: new Date(firstAt),
  events,
  eventCount: events.reduce((sum, { count }) => sum + count, 0),
  settingsUrl: 'https://relay.example/dashboard/notifications',
});

describe('a chat message', () => {
  const nasty = message(told('@everyone <!channel> [x](https://evil.example) *a* <@U1> connected.'));

  it('mentions nobody and is plain text, whatever a world is called', () => {
    expect(discordBody(nasty)).toMatchObject({
      allowed_mentions: { parse: [] },
      content: expect.stringContaining('\\[x\\]\\(https\u200B://evil\u200B.example\\) \\*a\\*') as string,
    });
    const slack = (slackBody(nasty) as { text: string }).text;
    expect(slack).toContain('&lt;!channel&gt;');
    expect(slack).not.toMatch(/<[!@]/);
    const mattermost = (mattermostBody(nasty) as { text: string }).text;
    expect(mattermost).toContain('@\u200Beveryone');
    expect(mattermost).not.toMatch(/@[a-z]/i);
    expect(mattermost).toContain('\\[x\\]');
  });

  const strange = [
    'https://evil.example/x',
    'HTTP://evil.example',
    'www.evil.example',
    'evil.example/login',
    'discord.gg/abc',
    'ada@evil.example',
    'slack://open',
    'mailto:ada@evil.example',
    '<https://evil.example|click>',
    '[click](https://evil.example)',
    'evil。example',
    'https:\u200b//evil.example',
  ];

  it.each(strange)('makes no link of a world called %s', (title) => {
    const one = message(told(`${title} connected.`), told(`The key ${title} was made.`));
    const discord = (discordBody(one) as { content: string }).content;
    const slack = (slackBody(one) as { text: string }).text;
    const mattermost = (mattermostBody(one) as { text: string }).text;
    // The link of Markdown, and that of Slack.
    for (const text of [discord, mattermost]) expect(text).not.toMatch(/(?<!\\)(?:\]\(|<)/);
    expect(slack).not.toContain('<');
    for (const text of [discord, slack, mattermost]) {
      // Neither a scheme, nor a name with a dot that goes on, nor an address of a mailbox.
      expect(text).not.toMatch(/\w:\/\/|www\.\w|\w\.\w|mailto:\w|\w@\w/i);
      // People read the same letters.
      const read = text.replaceAll(/[\u200B\\]/g, '');
      expect(read.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toContain(title.replaceAll('\u200b', ''));
    }
  });

  it('keeps the dots of sentences and between digits as they are', () => {
    const { content } = discordBody(
      message(told('Strahd 1.2 connected from 192.0.2.7. It has 3 users.')),
    ) as {
      content: string;
    };
    expect(content).toBe('**Strahd 1.2 connected from 192.0.2.7. It has 3 users**');
  });

  it('lists what happened under one line, and fits', () => {
    const two = message(told('Strahd connected.', 3, '2026-11-20T21:02:00.000Z'), told('Avernus connected.'));
    expect(discordBody(two)).toMatchObject({
      content:
        '**Strahd connected, and 1 more**\n- Strahd connected. \\(3 times, 20:31 to 21:02 UTC\\)\n- Avernus connected. \\(20:31 UTC\\)',
    });
    const many = message(...Array.from({ length: 50 }, (_, i) => told(`${'x'.repeat(200)} ${i} connected.`)));
    expect((discordBody(many) as { content: string }).content.length).toBeLessThan(2_000);
  });
});

describe('a mail', () => {
  it('has a subject of one line, text, HTML without anybody’s tags, and an id that stays', () => {
    const mail = mailOf(message(told('<img src=x> connected.')), 'a@example.org', 'relay.example');
    expect(mail).toMatchObject({
      to: 'a@example.org',
      subject: '<img src=x> connected',
      messageId: '<01abc@relay.example>',
      text: '<img src=x> connected. (20:31 UTC)\n\nWhat you are told of, and where: https://relay.example/dashboard/notifications',
    });
    expect(mail.html).toContain('&lt;img src=x&gt; connected.');
    expect(mail.html).not.toContain('<img');
  });

  it('makes no link of a world that is called like an address', () => {
    const mail = mailOf(
      message(told('https://evil.example and www.evil.example connected.')),
      'a@example.org',
      'x',
    );
    for (const text of [
      mail.subject,
      mail.text.split('\n')[0],
      mail.html.replaceAll(/<[^>]*>/g, '').split('What you')[0],
    ])
      expect(text).not.toMatch(/\w:\/\/|www\.\w|\w\.\w/);
    expect(mail.text).toContain('https://relay.example/dashboard/notifications');
    expect(mail.text.replaceAll('\u200B', '')).toContain(
      'https://evil.example and www.evil.example connected.',
    );
  });

  it('counts what it does not list', () => {
    const some = { ...message(told('Strahd connected.')), eventCount: 1_201 };
    expect(mailOf(some, 'a@example.org', 'x').text).toContain('And 1,200 more.');
  });
});

it('a signed message is what the library of Standard Webhooks takes, and a changed one is not', () => {
  const secret = createWebhookSecret();
  const body = JSON.stringify(standardBody(message(told('Strahd connected.'))));
  const headers = standardHeaders('01abc', secret, body, new Date());
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    type: 'account.notified',
    timestamp: firstAt,
    data: { events: [told('Strahd connected.')], eventCount: 1 },
  });
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature found');
  expect(() => new Webhook(createWebhookSecret()).verify(body, headers)).toThrow(
    'No matching signature found',
  );
});

it('an answer is shown without what is not seen, and not at any length', () => {
  expect(readableAnswer(' a\u0000b\u202Ec\nd ')).toBe('a b c\nd');
  expect(readableAnswer('x'.repeat(5_000))).toHaveLength(1_000);
});

it.each([
  [undefined, undefined],
  ['7', 7_000],
  ['Fri, 20 Nov 2026 20:32:00 GMT', 60_000],
  ['Fri, 20 Nov 2026 20:30:00 GMT', 0],
  ['20 Nov 2026 20:32:00 GMT', 60_000],
  ['soon', undefined],
])('Retry-After %s is %s ms', (header, expected) => {
  expect(readRetryAfter(header, Date.parse(firstAt))).toBe(expected);
});
