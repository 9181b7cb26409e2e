import { connectModule } from '@tabletop-relay/testing/scenes';
import { describe, expect, it, vi } from 'vitest';
import { headOf, openRaw } from '../raw-connection.ts';
import { body, refused, sentTo, startPausedWorlds, within } from './paused-worlds.ts';

const start = startPausedWorlds();
const { roll, newKey, pauseKey, pauseWorld, expectSoon } = start;

describe('a call that is on its way when the pause comes', () => {
  it('ends as it would where it was sent', async () => {
    const { id, key } = await newKey({ clientIds: [start.other.clientId] });
    const slow = await start.account.pair();
    const silent = await connectModule(start.two.first.url, slow);
    await start.account.as('PATCH', `/auth/api-keys/${id}`, { clientIds: [slow.clientId] });
    const answered = roll(key, start.two.second, slow);
    const command = await silent.next('skill-check');
    await pauseKey(id);
    await pauseWorld('pause', slow);
    await expectSoon((at) => roll(start.account.masterKey, at, slow), refused('world'));
    silent.send({ type: 'skill-check-result', requestId: command['requestId'], data: { total: 7 } });
    expect(await answered).toMatchObject({ status: 200, body: { data: { total: 7 } } });
    await silent.close();
  });

  it.each(['key', 'world'] as const)('is refused where its body was still coming: %s', async (of) => {
    const { id, key } = await newKey();
    const text = JSON.stringify(body);
    const raw = openRaw(start.two.second.url);
    const head = headOf('POST', `/sys5e/skill-check?clientId=${start.other.clientId}`, {
      'x-api-key': key,
      'content-length': text.length,
    });
    raw.socket.write(head + text.slice(0, 5));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = sentTo(start.otherModule);
    await (of === 'key' ? pauseKey(id) : pauseWorld('pause', start.other));
    const asker = of === 'key' ? key : start.account.masterKey;
    await expectSoon((at) => roll(asker, at, start.other), refused(of));
    raw.socket.write(text.slice(5));
    expect(await raw.status()).toBe(403);
    expect(raw.received()).toContain('"code":"paused"');
    expect(sentTo(start.otherModule)).toBe(before);
    raw.socket.destroy();
    await pauseWorld('resume', start.other);
    await expectSoon((at) => roll(start.account.masterKey, at, start.other), { status: 200 });
  });

  it.each(['world', 'key', 'revoked key'] as const)(
    'is refused where it waited for the world’s first answer: %s',
    async (what) => {
      const slow = await start.account.pair();
      const silent = await connectModule(start.two.first.url, slow);
      const { id, key } = await newKey();
      const answers = [start.two.second, start.two.first].flatMap((at) =>
        Array.from({ length: 6 }, () => roll(key, at, slow)),
      );
      await vi.waitFor(() => expect(sentTo(silent)).toBe(8), within);
      const stranger = roll(start.account.masterKey, start.two.second, slow);
      if (what === 'world') await pauseWorld('pause', slow);
      else if (what === 'key') await pauseKey(id);
      else await start.account.as('DELETE', `/auth/api-keys/${id}`);
      const early = await Promise.all(
        answers.map((answer) =>
          Promise.race([answer, new Promise<undefined>((go) => setTimeout(go, 3_000))]),
        ),
      );
      const ended = early.filter((one) => one !== undefined);
      expect(ended).toHaveLength(4);
      const refusal = { status: 401, body: { code: 'key_invalid', outcome: 'not_sent' } };
      for (const one of ended) expect(one).toMatchObject(what === 'revoked key' ? refusal : refused(what));
      for (const { type, requestId } of silent.received)
        if (type === 'skill-check') silent.send({ type: 'skill-check-result', requestId, data: {} });
      const all = await Promise.all(answers);
      expect(all.filter(({ status }) => status === 200)).toHaveLength(8);
      // A call with another key waited behind them, and is nobody's concern.
      await vi.waitFor(() => expect(sentTo(silent)).toBe(what === 'world' ? 8 : 9), within);
      const last = silent.received.findLast(({ type }) => type === 'skill-check');
      silent.send({ type: 'skill-check-result', requestId: last?.requestId, data: {} });
      expect(await stranger).toMatchObject(what === 'world' ? refused('world') : { status: 200 });
      await silent.close();
    },
  );
});
