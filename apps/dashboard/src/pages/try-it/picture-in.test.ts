import { expect, test } from 'vitest';
import { pictureIn, withoutBytes } from './picture-in.ts';

const bytes = { field: 'data.imageData', contentType: 'data.mimeType' } as never;

test.each([
  [
    { data: { imageData: 'data:image/webp;base64,AAAA', mimeType: 'image/webp' } },
    'data:image/webp;base64,AAAA',
  ],
  [{ data: { imageData: 'AAAA', mimeType: 'image/png' } }, 'data:image/png;base64,AAAA'],
  [{ data: { imageData: 'AAAA', mimeType: 'text/html' } }, undefined],
  [{ data: { imageData: 'javascript:alert(1)', mimeType: 'image/png' } }, undefined],
  [{ data: { imageData: 'data:text/html;base64,AAAA', mimeType: 'text/html' } }, undefined],
  [{ error: 'refused' }, undefined],
  ['text', undefined],
])('the picture in %j', (body, expected) => {
  expect(pictureIn(body, bytes)).toBe(expected);
  expect(pictureIn(body, undefined)).toBeUndefined();
});

test('bytes are counted in place of shown, and all else stays', () => {
  const text = JSON.stringify({ imageData: `data:image/png;base64,${'A'.repeat(1200)}`, name: 'Hall' });
  expect(withoutBytes(text)).toBe(
    '{"imageData":"data:image/png;base64,… 1,200 letters of base64","name":"Hall"}',
  );
});
