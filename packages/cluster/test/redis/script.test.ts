import { ReplyError } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createFakeConnection } from '../fakes/fake-connection.ts';
import { settle } from '../fakes/fake-shard.ts';
import { ClusterUnavailable } from '../../src/failures.ts';
import { defineScript, runScript, sendCommand } from '../../src/redis/connection.ts';

const script = defineScript('return 1');
const replyError = (message: string) => new (ReplyError as new (message: string) => Error)(message);

describe('a script', () => {
  it('is run by its hash, with the number of its keys before them', async () => {
    const { connection, sent } = createFakeConnection();
    const answer = runScript(connection, script, ['key'], ['one', 2]);
    sent[0]?.answer.resolve('done');
    expect(await answer).toBe('done');
    expect(sent).toMatchObject([{ name: 'evalsha', replyEncoding: 'utf8' }]);
    expect(sent[0]?.args.map(String)).toEqual([script.sha, '1', 'key', 'one', '2']);
  });

  it('answers with bytes where they are asked for', () => {
    const { connection, sent } = createFakeConnection();
    void runScript(connection, script, [], [], null);
    expect(sent[0]?.replyEncoding).toBeNull();
  });

  it('that Redis does not know is sent whole, once', async () => {
    const { connection, sent } = createFakeConnection();
    const answer = runScript(connection, script, ['key'], ['one']);
    sent[0]?.answer.reject(replyError('NOSCRIPT No matching script.'));
    await settle();
    expect(sent[1]?.name).toBe('eval');
    expect(sent[1]?.args.map(String)).toEqual([script.lua, '1', 'key', 'one']);
    sent[1]?.answer.reject(replyError('NOSCRIPT No matching script.'));
    await expect(answer).rejects.toBeInstanceOf(ClusterUnavailable);
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['an error reply', replyError('ERR value is not an integer')],
    ['an error reply that tells of NOSCRIPT further on', replyError('ERR no NOSCRIPT')],
    ['a command that was not written', new Error("Stream isn't writeable and enableOfflineQueue is false")],
  ])('certainly had no effect after %s, and is not repeated', async (_what, cause) => {
    const { connection, sent } = createFakeConnection();
    const answer = runScript(connection, script, [], []);
    sent[0]?.answer.reject(cause);
    const failure: unknown = await answer.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ClusterUnavailable);
    expect((failure as Error).cause).toBe(cause);
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['a lost connection', new Error('Connection is closed.')],
    ['a lost connection that tells of NOSCRIPT', new Error('NOSCRIPT')],
    ['what is no error', 'closed'],
  ])('may have run after %s, and is not repeated', async (_what, cause) => {
    const { connection, sent } = createFakeConnection();
    const answer = runScript(connection, script, [], []);
    sent[0]?.answer.reject(cause);
    await expect(answer).rejects.toBe(cause);
    expect(sent).toHaveLength(1);
  });

  it('whose second sending is cut may have run', async () => {
    const { connection, sent } = createFakeConnection();
    const answer = runScript(connection, script, [], []);
    sent[0]?.answer.reject(replyError('NOSCRIPT'));
    await settle();
    const cut = new Error('Connection is closed.');
    sent[1]?.answer.reject(cut);
    await expect(answer).rejects.toBe(cut);
  });
});

describe('a command', () => {
  it('answers with text unless told otherwise', () => {
    const { connection, sent } = createFakeConnection();
    void sendCommand(connection, 'get', ['key']);
    expect(sent).toMatchObject([{ name: 'get', replyEncoding: 'utf8' }]);
  });

  it('is refused at once while the connection is not ready', async () => {
    const { connection, sent, state } = createFakeConnection();
    state.status = 'connecting';
    await expect(sendCommand(connection, 'get', ['key'])).rejects.toBeInstanceOf(ClusterUnavailable);
    expect(sent).toEqual([]);
  });
});
