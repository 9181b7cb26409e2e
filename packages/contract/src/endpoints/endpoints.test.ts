import { describe, expect, it } from 'vitest';
import { pathNames } from '../path.ts';
import { isDownload, isEventStream, isRedirect, problemsOf } from './endpoint.ts';
import type { Endpoint, EndpointGroup } from './endpoint.ts';
import { endpointGroups, endpoints } from './index.ts';
import { endpointLimits } from './limits.ts';

const all = Object.entries<Endpoint>(endpoints);

describe('all endpoints', () => {
  it('have names of their own, over all groups', () => {
    const listed = Object.values<EndpointGroup>(endpointGroups).flatMap((group) =>
      Object.keys(group.endpoints),
    );
    expect(listed.toSorted()).toEqual(Object.keys(endpoints).toSorted());
  });

  it('have addresses of their own', () => {
    const addresses = all.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('are limited by every limit of the catalogue', () => {
    const named = new Set(all.flatMap(([, { limit }]) => limit ?? []));
    expect([...named].toSorted()).toEqual(Object.keys(endpointLimits).toSorted());
  });

  it('are limited where a session adds or changes something, for each leaves a record', () => {
    // What takes something away is as rare as what was added before, and has to be possible at all times.
    const changing = all.filter(
      ([name, { auth, method }]) =>
        auth === 'session' && method !== 'GET' && method !== 'DELETE' && name !== 'logout',
    );
    expect(changing.filter(([, { limit }]) => !limit).map(([name]) => name)).toEqual([]);
    expect(changing.length).toBeGreaterThan(20);
    for (const [name, endpoint] of changing) expect(problemsOf(endpoint), name).toContain('rate_limited');
  });

  it.each(all.filter(([, { auth }]) => auth === 'session' || auth === 'administrator'))(
    '%s says that it is refused without a session',
    (_name, endpoint) => {
      expect(problemsOf(endpoint)).toEqual(expect.arrayContaining(['session_missing', 'session_invalid']));
    },
  );

  it.each(all)('%s has no field in its path that its query or body has too', (_name, endpoint) => {
    const fields = Object.keys((endpoint.query ?? endpoint.body)?.['properties'] ?? {});
    expect(pathNames(endpoint.path).filter((name) => fields.includes(name))).toEqual([]);
  });

  it('name the code in their path where they are limited by code', () => {
    const byCode = all.filter(([, { limit }]) => limit && endpointLimits[limit].by === 'code');
    expect(byCode.length).toBeGreaterThan(0);
    for (const [name, endpoint] of byCode) expect(pathNames(endpoint.path), name).toContain('code');
  });

  it('say so where their answer holds a secret, for then it is never compressed', () => {
    const secret = /^(apiKey|masterKey|\w*[tT]oken|secret|recoveryCodes|code|setup|\w+Url)$/;
    // The code of an error, and addresses of programs and worlds that let nobody in.
    const open =
      /^(getCall|listCalls|getOverview|getRelayOverview|getKeyRequest|denyKeyRequest|list(KnownClients|Clients|ConnectionLogs|ActiveSessions|HeadlessSessions))$/;
    const telling = all.filter(
      ([name, { answer }]) => !open.test(name) && namesIn(answer).some((field) => secret.test(field)),
    );
    const silent = telling.filter(([, { secretAnswer }]) => !secretAnswer);
    expect(silent.map(([name]) => name)).toEqual([]);
    expect(telling.length).toBeGreaterThan(15);
  });

  it('take a second factor wherever they ask for the password', () => {
    const namesIn = (endpoint: Endpoint) => Object.keys(endpoint.body?.['properties'] ?? {});
    const asking = all.filter(([, endpoint]) =>
      namesIn(endpoint).some((field) => /^(current)?password$/i.test(field)),
    );
    const without = asking.filter(([, endpoint]) => !namesIn(endpoint).includes('secondFactor'));
    // These two set a password, and open no account that had one.
    expect(without.map(([name]) => name)).toEqual(['register', 'resetPassword']);
    expect(asking.length).toBeGreaterThan(without.length + 5);
  });

  it('answer an object, to which fields can be added later', () => {
    for (const [name, { answer }] of all) {
      const schema = isDownload(answer) ? answer.schema : answer;
      expect(
        isEventStream(schema) || isRedirect(schema) || ('type' in schema && schema.type === 'object'),
        name,
      ).toBe(true);
    }
  });
});

/** The names of all properties in a schema, at any depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

describe('the problems of an endpoint', () => {
  it('follow from what it takes, who may call it and from where, and its limit', () => {
    expect(problemsOf(endpoints.changePassword)).toEqual([
      'invalid_request', 'payload_too_large', 'unsupported_media_type', 'session_missing', 'session_invalid',
      'account_disabled', 'second_factor_missing', 'origin_refused', 'rate_limited', 'second_factor_required',
      'second_factor_invalid', 'credentials_invalid', 'overloaded', 'unavailable',
    ]); // prettier-ignore
    expect(problemsOf(endpoints.forceRotation)).toContain('forbidden');
    expect(problemsOf(endpoints.listClients)).toContain('scope_missing');
    expect(problemsOf(endpoints.getKeyRequest)).toContain('not_found');
    expect(problemsOf(endpoints.getStatus)).toEqual(['invalid_request', 'unavailable']);
  });

  it('stand once each', () => {
    for (const [name, endpoint] of all) {
      const codes = problemsOf(endpoint);
      expect(new Set(codes).size, name).toBe(codes.length);
    }
  });
});
