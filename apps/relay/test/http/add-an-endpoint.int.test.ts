import { addressOf } from '@tabletop-relay/contract';
import type { Endpoints } from '@tabletop-relay/contract';
import { createAccountClient } from '@tabletop-relay/sdk';
import type { AccountClient } from '@tabletop-relay/sdk';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointsPage } from '../../../../docs/generator/pages/endpoints.ts';
import { endpointType } from '../../../../packages/sdk/generator/endpoint-types.ts';
import { serve } from '../../src/endpoint-handler.ts';
import type { HandlersOf } from '../../src/endpoint-handler.ts';
import { ProblemError } from '../../src/problem.ts';
import { startInstances } from '../instances.ts';
import { readOpenApi } from './open-api.ts';
import type { TestInstances } from '../instances.ts';

/** All that is written to add an endpoint: the literal, and what answers it. */
const noteEndpoints = {
  writeNote: {
    method: 'PUT',
    path: '/auth/notes/:topic',
    summary: 'Write a note',
    description: 'Replaces the note on that topic.',
    auth: 'session',
    origin: 'same',
    limit: 'changePassword',
    body: Type.Object(
      { text: Type.String({ maxLength: 20 }), pinned: Type.Optional(Type.Boolean()) },
      { additionalProperties: false },
    ),
    answer: Type.Object({ topic: Type.String(), text: Type.String(), by: Type.String() }),
    problems: ['conflict'],
  },
} as const satisfies Endpoints;

const noteHandlers: HandlersOf<typeof noteEndpoints> = {
  writeNote({ params: { topic }, body: { text } }, { session }) {
    if (topic === 'locked') throw new ProblemError('conflict', 'This note is locked.');
    return { topic, text, by: session.email };
  },
};

interface NoteMethods {
  writeNote(fields: { topic: string; text: string }): Promise<object>;
}

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let client: NoteMethods;

beforeAll(async () => {
  cluster = await startInstances({
    endpoints: serve(noteEndpoints, noteHandlers),
    config: { maxAccountBodyBytes: 1_000 },
  });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  client = createAccountClient({
    url,
    headers: { authorization: `Bearer ${account.sessionToken}` },
    addresses: { writeNote: addressOf(noteEndpoints.writeNote) },
  }) as AccountClient & NoteMethods;
});
afterAll(() => cluster.stop());

describe('one literal and one handler give', () => {
  it('the route, and a method of the client with its types', async () => {
    expect(await client.writeNote({ topic: 'a/b ä', text: 'Hello' })).toEqual({
      topic: 'a/b ä',
      text: 'Hello',
      by: account.email,
    });
    expect(endpointType(noteEndpoints.writeNote)).toBe(`{
  fields: {
    topic: string;
    text: string;
    pinned?: boolean | undefined;
  };
  answer: {
    topic: string;
    text: string;
    by: string;
  };
}`);
  });

  it('validation, which names each field', async () => {
    const { status, body } = await account.as('PUT', '/auth/notes/tea', { pinned: 'yes', colour: 'red' });
    expect(status).toBe(400);
    expect((body['errors'] as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'colour',
      'pinned',
      'text',
    ]);
  });

  it('the bound of its body', async () => {
    const { status } = await account.as('PUT', '/auth/notes/tea', { text: 'x'.repeat(2_000) });
    expect(status).toBe(413);
  });

  it('the check of the session, before validation', async () => {
    const anonymous = await call(url, 'PUT', '/auth/notes/tea', { body: {} });
    expect(anonymous.body['code']).toBe('session_missing');
    const ended = await call(url, 'PUT', '/auth/notes/tea', {
      headers: { authorization: 'Bearer trs_no' },
      body: {},
    });
    expect(ended.body['code']).toBe('session_invalid');
  });

  it('the check of the origin, where a cookie vouches for the request', async () => {
    const from = (origin: string) =>
      call(url, 'PUT', '/auth/notes/tea', {
        body: { text: 'Hello' },
        headers: { cookie: `trs=${account.sessionToken}`, origin },
      });
    expect((await from('https://elsewhere.example')).body['code']).toBe('origin_refused');
    expect((await from(url)).status).toBe(200);
  });

  it('its own failures as problems', async () => {
    await expect(client.writeNote({ topic: 'locked', text: 'Hello' })).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
      detail: 'This note is locked.',
    });
  });

  it('its limit', async () => {
    const limited = await startInstances({
      endpoints: serve(noteEndpoints, noteHandlers),
      config: { limitChangePassword: '2 per 1 h' },
    });
    const { as } = await createAccount(limited.instances[0].url);
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) {
      statuses.push((await as('PUT', '/auth/notes/tea', { text: 'Hello' })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    await limited.stop();
  });

  it('its entry in the OpenAPI document', async () => {
    const body = await readOpenApi(url);
    const paths = body.paths as unknown as Record<string, Record<string, Record<string, unknown>>>;
    const entry = paths['/auth/notes/{topic}']?.['put'] ?? {};
    expect(entry).toMatchObject({
      operationId: 'writeNote',
      summary: 'Write a note',
      description: 'Replaces the note on that topic.',
      security: [{ session: [] }],
      parameters: [{ in: 'path', name: 'topic', required: true }],
      requestBody: { content: { 'application/json': { schema: { required: ['text'] } } } },
    });
    expect(Object.keys(entry['responses'] as object)).toEqual([
      '200', '400', '401', '403', '404', '409', '413', '415', '429', '503',
    ]); // prettier-ignore
  });

  it('its entry in the reference', () => {
    const page = endpointsPage({ notes: { title: 'Notes', endpoints: noteEndpoints } });
    expect(page).toContain(
      '| [PUT /auth/notes/:topic](#writenote) | Write a note | a session | 5 per 15 min and address (`LIMIT_CHANGE_PASSWORD`) |',
    );
    expect(page).toContain('| `text` | body | string, at most 20 characters |');
    expect(page).toContain('SDK `client.writeNote`');
  });
});
