import { expect, test } from 'vitest';
import { prefersHtml, prefersJson } from './prefers-json.ts';

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['image/png', false],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/json, application/problem+json', true],
  ['application/json, */*;q=0.1', true],
  ['application/json, text/plain, */*', false],
  ['text/html, application/json;q=0.9', false],
  ['application/json;q=0', false],
  ['application/json;q=x, image/png', false],
  ['application/json;q=0.9, image/png;q=0.8', true],
  ['application/json;q=5, image/png;q=0.5', false],
  ['application/json;q=-1, image/png;q=0', false],
  ['application/json;q=0.5, image/png;q=x', true],
])('of Accept: %s, JSON is preferred: %s', (accept, expected) => {
  expect(prefersJson(accept)).toBe(expected);
});

test.each([
  [undefined, false],
  ['*/*', false],
  ['text/*', false],
  ['text/html', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/json, text/html;q=0.9', false],
  ['text/html;q=0', false],
])('of Accept: %s, HTML is named: %s', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected);
});
