import { beforeAll, describe, expect, test } from 'vitest';
import { refusal, token } from '../../../../test/look-up.ts';
import { loadNotation } from '../../rules/rolls/notation.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';
import { plainText } from './plain-text.ts';

beforeAll(loadNotation);

const createQuietWorld = () => {
  const world = createWorld({ seed: 1, now: () => 1_000 });
  world.answer('chat-flush', {});
  return world;
};
const send = (world: World, parameters: object, userId?: string) =>
  world.answer('chat-send', { content: 'Hi', ...parameters }, { userId }).data;
const list = (world: World, parameters: object = {}, userId?: string) =>
  world.answer('chat-messages', parameters, { userId }).data;
const contents = (world: World, parameters: object = {}, userId?: string) =>
  list(world, parameters, userId).messages.map(({ content }) => content);

describe('a message', () => {
  test('is told as it was sent, and the page shows its words', () => {
    const world = createQuietWorld();
    const sent = send(world, { content: '<p>Hi &amp; <b>ho</b></p>' });
    expect(sent).toEqual({
      id: expect.stringMatching(/^\w{16}$/) as string,
      uuid: `ChatMessage.${sent.id}`,
      content: '<p>Hi &amp; <b>ho</b></p>',
      speaker: { scene: null, token: null, actor: null, alias: 'Ada' },
      timestamp: 1_000,
      whisper: [],
      type: 1,
      author: { id: 'ada', name: 'Ada' },
      flavor: 'says',
      isRoll: false,
      rolls: [],
      flags: {},
    });
    expect(list(world)).toEqual({ messages: [sent], total: 1, offset: 0, limit: 50 });
    expect(world.state().chat).toMatchObject([{ text: 'Hi & ho', title: 'says' }]);
  });

  test('without markup is told by its text, or as empty', () => {
    const world = createWorld({ seed: 1 });
    expect(contents(world)).toEqual(['Something moves in the black water.']);
    world.answer('kill', { uuid: 'Actor.cultist' });
    expect(list(world).messages[0]).toMatchObject({ content: '', flavor: 'Cultist dies', type: 0 });
  });

  test.each<[object, string | undefined, object]>([
    [{}, 'Ben', { speaker: { alias: 'Ben' }, type: 1, author: { id: 'ben' } }],
    [{ alias: 'A voice' }, 'Ben', { speaker: { alias: 'A voice' }, type: 1 }],
    [{ speaker: 'Actor.mira' }, 'Ben', { speaker: { alias: 'Mira Thornwood', uuid: 'Actor.mira' }, type: 2 }],
    [
      { speaker: token('mira') },
      'Ben',
      { speaker: { alias: 'Mira Thornwood', uuid: token('mira') }, type: 2 },
    ],
    [{ speaker: 'Actor.mira', alias: 'Owl' }, undefined, { speaker: { alias: 'Owl', uuid: 'Actor.mira' } }],
    [{ flavor: 'shouts' }, undefined, { flavor: 'shouts' }],
    [{ whisper: ['Cleo', 'dev'] }, undefined, { flavor: 'whispers', whisper: ['cleo', 'dev'] }],
  ])('says who speaks, and how: %j', (parameters, userId, told) => {
    expect(send(createQuietWorld(), parameters, userId)).toMatchObject(told);
  });

  test.each([
    ['other', 0],
    ['ooc', 1],
    ['ic', 2],
    ['emote', 3],
    ['4', 4],
    [5, 5],
    ['6', 0],
    ['-1', 0],
    ['1.5', 0],
    ['nonsense', 0],
  ])('of the type %j is of the style %i, and found by it', (chatType, type) => {
    const world = createQuietWorld();
    expect(send(world, { chatType, content: 'x' })).toMatchObject({ type });
    send(world, { chatType: type === 3 ? 'ic' : 'emote', content: 'y' });
    // As a filter 5 means rolls.
    expect(contents(world, { chatType })).toEqual(type === 5 ? [] : ['x']);
  });

  test('in the name of another’s actor is refused, and one to nobody', () => {
    const world = createQuietWorld();
    expect(() => send(world, { speaker: 'Actor.borin' }, 'Ben')).toThrow(refusal('permission_denied'));
    expect(() => send(world, { speaker: 'Actor.nobody' })).toThrow(refusal('entity_not_found'));
    expect(() => send(world, { whisper: ['nobody'] })).toThrow(refusal('user_not_found'));
    expect(world.state().chat).toEqual([]);
  });

  test('stays when its author goes, and says no more who that was', () => {
    const world = createQuietWorld();
    send(world, {}, 'Ben');
    world.answer('delete-user', { name: 'Ben' });
    expect(list(world).messages).toMatchObject([{ author: null, speaker: { alias: 'Ben' } }]);
  });
});

describe('the list of messages', () => {
  test('is the newest first, page by page, and counts those that are meant', () => {
    const world = createQuietWorld();
    for (let count = 1; count <= 60; count += 1) send(world, { content: String(count) });
    expect(contents(world)).toHaveLength(50);
    expect(list(world, { limit: 2, offset: 1 })).toMatchObject({
      messages: [{ content: '59' }, { content: '58' }],
      total: 60,
      offset: 1,
      limit: 2,
    });
  });

  test('can be of one speaker, in any letters, or of rolls', () => {
    const world = createQuietWorld();
    send(world, { speaker: 'Actor.mira', content: 'magic' });
    world.answer('roll', { formula: '1d20', flavor: 'Luck' });
    expect(contents(world, { speaker: 'mira thornWOOD' })).toEqual(['magic']);
    for (const chatType of ['roll', 5, '5'])
      expect(list(world, { chatType }).messages).toMatchObject([{ flavor: 'Luck', isRoll: true }]);
  });
});

describe('a roll', () => {
  test('is posted for all to see, unless it is whispered or kept out of the chat', () => {
    const world = createQuietWorld();
    const roll = (parameters: object) => world.answer('roll', { formula: '1d20', ...parameters }).data;
    const plain = roll({});
    expect(plain).toMatchObject({ chatMessageCreated: true, roll: { formula: '1d20', timestamp: 1_000 } });
    roll({ whisper: ['Cleo'], speaker: 'Actor.borin', flavor: 'Secret' });
    const kept = roll({ createChatMessage: false });
    expect(kept).toMatchObject({
      id: expect.stringMatching(/^\w{16}$/) as string,
      chatMessageCreated: false,
    });
    const told = list(world).messages;
    expect(told.map(({ flavor, type, speaker }) => [flavor, type, speaker])).toMatchObject([
      ['Secret', 2, { alias: 'Borin Ironhand', uuid: 'Actor.borin' }],
      ['Roll', 1, { alias: 'Ada' }],
    ]);
    expect(told[1]?.id).toBe(plain.id);
    const flavors = (userId: string) => list(world, {}, userId).messages.map(({ flavor }) => flavor);
    expect([flavors('Cleo'), flavors('Ben')]).toEqual([['Secret', 'Roll'], ['Roll']]);
    expect(world.answer('last-roll', {}, { userId: 'Ben' }).data).toMatchObject({ flavor: 'Roll' });
  });

  test.each([
    ['1d20', true],
    ['2d20kh', true],
    ['2d20kl + 1d6', true],
    ['2d20', false],
    ['1d12', false],
  ])('of %s is critical on a 20 and a fumble on a 1, of the one d20 that counts: %s', (formula, hasOne) => {
    const seen = new Set<unknown>();
    for (let seed = 0; seed < 300; seed += 1) {
      const world = createWorld({ seed });
      const { roll } = world.answer('roll', { formula }).data;
      const [first] = world.state().chat.at(-1)!.roll!.dice;
      const counted = first!.results.filter(({ kept }) => kept).map(({ value }) => value);
      expect(roll.isCritical).toBe(hasOne && counted[0] === 20);
      expect(roll.isFumble).toBe(hasOne && counted[0] === 1);
      seen.add(roll.isCritical ? 20 : roll.isFumble ? 1 : 0);
    }
    expect(seen.has(20) && seen.has(1)).toBe(hasOne);
  });

  test('is remembered with the twenty newest', () => {
    const world = createQuietWorld();
    for (let count = 1; count <= 22; count += 1) world.answer('roll', { formula: String(count) });
    const totals = (parameters: object) => world.answer('rolls', parameters).data.map((one) => one.rollTotal);
    expect(totals({})).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index));
    expect(totals({ limit: 2 })).toEqual([22, 21]);
    expect(world.answer('last-roll', {}).data).toEqual({
      id: expect.any(String) as string,
      messageId: expect.any(String) as string,
      user: { id: 'ada', name: 'Ada' },
      speaker: { scene: null, token: null, actor: null, alias: 'Ada' },
      flavor: 'Roll',
      rollTotal: 22,
      formula: '22',
      isCritical: false,
      isFumble: false,
      dice: [],
      timestamp: 1_000,
    });
  });
});

test.each([
  ['<p>One</p><p>Two</p>', 'One\nTwo'],
  ['One<br>Two<BR/>Three', 'One\nTwo\nThree'],
  ['<ul><li>One</li><li class="x">Two</li></ul>', 'One\nTwo'],
  ['<div>One</div><h2 id="a">Two</h2>Three', 'One\nTwo\nThree'],
  ['<b>bold</b> <i>it</i>', 'bold it'],
  ['<broken>x', 'x'],
  ['1 &lt; 2 &gt; 0 &quot;&amp;&quot; a&nbsp;b &copy;', '1 < 2 > 0 "&" a b &copy;'],
  ['  x  ', 'x'],
])('%j without its markup is %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});
