import { expect, it, test, vi } from 'vitest';
import type { ClientSocket } from '../../sockets/client-socket.ts';
import { sendReply } from './remote-answer.ts';

function setUp(hasRoom = true) {
  const sent: string[] = [];
  const sendAnswer = vi.fn<ClientSocket['sendAnswer']>((frame, _patienceMs, onSent) => {
    if (!hasRoom) return false;
    sent.push(frame.toString());
    onSent();
    return true;
  });
  const release = vi.fn<() => void>();
  const send = (body: string) =>
    sendReply(
      { sendAnswer, isOpen: true } as unknown as ClientSocket,
      { requestId: 'asked_1' },
      { body: Buffer.from(body), release },
      1_000,
    );
  return { sent, send, release };
}

/** The frame that a module reads where `body` was the answer. */
function frameOf(body: string): unknown {
  const { sent, send } = setUp();
  send(body);
  expect(sent).toHaveLength(1);
  return JSON.parse(String(sent[0]));
}

const ids = '"type":"players-result","requestId":"players_1"';

test.each([
  ['closes its frame and names another request', `{${ids}},"requestId":"asked_2","data":{"users":[]}`],
  ['closes its frame and is followed by space', `{${ids}} ,"requestId":"asked_2" `],
  ['opens a list that its frame would close', `{${ids},"users":[`],
  ['names its own command twice', `{${ids},"users":[],"requestId":"asked_2"}`],
  ['is no object', '[1],"requestId":"asked_2","data":[2]'],
  ['is nothing', ''],
])('an answer that %s answers nobody, and its request fails', (_what, body) => {
  const { sent, send, release } = setUp();
  expect(() => send(body)).toThrow(expect.objectContaining({ code: 'client_bad_reply' }));
  expect(sent).toEqual([]);
  expect(release).toHaveBeenCalledOnce();
});

test.each([
  ['first', `{"requestId":"players_1","type":"players-result","users":[]}`],
  ['last', `{"type":"players-result","users":[],"requestId":"players_1"}`],
  ['with an escape', String.raw`{"type":"players-result","users":[],"request\u0049d":"players_1"}`],
  ['behind many fields', `{"type":"players-result","users":[],${'"a":1,'.repeat(2_000)}"requestId":"p"}`],
])('an answer whose own id stands %s comes without it', (_where, body) => {
  expect(frameOf(body)).toMatchObject({
    type: 'remote-response',
    requestId: 'asked_1',
    success: true,
    data: { type: 'players-result', users: [] },
  });
  expect((frameOf(body) as { data: object }).data).not.toHaveProperty('requestId');
});

it('an answer keeps every other field, also one that is named like those of its frame', () => {
  const fields = { success: false, data: { requestId: 'inner' }, 'ÿ “': '\u2028', list: [null, -1.5e-7] };
  const { data } = frameOf(`{${ids},${JSON.stringify(fields).slice(1)}`) as { data: object };
  expect(data).toEqual({ type: 'players-result', ...fields });
});

it('an answer without room is told as one, and its bytes are given back', () => {
  const { send, release } = setUp(false);
  expect(() => send(`{${ids}}`)).toThrow('has not read the answers before');
  expect(release).toHaveBeenCalledOnce();
});
