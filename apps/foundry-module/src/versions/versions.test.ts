import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { regionOfTemplate, templateOfRegion } from '../operations/scenes/templates.ts';
import type { FoundryDocument, Scene } from '../tabletop/documents.ts';
import { core12 } from './core12.ts';
import { core13 } from './core13.ts';
import { core14 } from './core14.ts';
import { version } from './version.ts';

class ForcedDeletion {
  readonly isDeletion = true;
}

beforeEach(() => void vi.stubGlobal('foundry', { data: { operators: { ForcedDeletion } } }));
afterEach(() => void vi.unstubAllGlobals());

const documentOf = (data: object) => ({ ...data, toObject: () => data }) as unknown as FoundryDocument;

test.each([
  [12, core12],
  [13, core13],
  [14, core14],
  [15, core14],
])('generation %i has its adapter, and a later one that of 14', (generation, expected) => {
  vi.stubGlobal('game', { release: { generation } });
  expect(version()).toBe(expected);
});

describe('keys that delete', () => {
  const changes = { 'system.-=a': null, flags: { mine: { '-=b': null } }, name: 'x' };

  test('are told as they are before 14', () => {
    expect(core12.changesOf('Actor', changes)).toEqual(changes);
  });

  test('are operators in 14, in paths and in nested objects', () => {
    const deletion = new ForcedDeletion();
    expect(core14.changesOf('Actor', changes)).toEqual({
      'system.a': deletion,
      flags: { mine: { b: deletion } },
      name: 'x',
    });
  });
});

describe('effects', () => {
  const byMode = { name: 'x', icon: 'x.svg', changes: [{ key: 'a', mode: 5, value: '1' }] };
  const byType = { name: 'x', img: 'x.svg', changes: [{ key: 'a', type: 'override', value: '1' }] };

  test.each([byMode, byType])('are taken by mode and by type, by every version', (given) => {
    expect(core12.changesOf('ActiveEffect', given)).toEqual({
      name: 'x',
      img: 'x.svg',
      changes: [{ key: 'a', mode: 5, value: '1' }],
    });
    expect(core14.changesOf('ActiveEffect', given)).toEqual({
      name: 'x',
      img: 'x.svg',
      system: { changes: [{ key: 'a', type: 'override', value: '1' }] },
    });
  });

  test('are told with both', () => {
    const both = [{ key: 'a', mode: 2, type: 'add' }];
    expect(core12.effectChanges(documentOf({ changes: [{ key: 'a', mode: 2 }] }))).toEqual(both);
    expect(core14.effectChanges(documentOf({ system: { changes: [{ key: 'a', type: 'add' }] } }))).toEqual(
      both,
    );
  });

  test('a kind that the other form lacks is told as it is', () => {
    const changes = [{ key: 'a', type: 'subtract' }];
    expect(core14.effectChanges(documentOf({ system: { changes } }))).toEqual(changes);
    expect(core12.effectChanges(documentOf({ changes: [{ key: 'a', mode: 9 }] }))).toEqual([
      { key: 'a', mode: 9 },
    ]);
  });
});

describe('backgrounds of scenes', () => {
  const scene = documentOf({
    levels: [
      { _id: 'one', background: { src: 'a.webp' } },
      { _id: 'two', background: { src: 'b.webp' } },
    ],
    initialLevel: 'two',
  }) as Scene;

  test('stand in the level that the scene begins with', () => {
    expect(core14.backgroundOf(scene)).toBe('b.webp');
    expect(core14.backgroundOf(documentOf({ levels: [], initialLevel: null }) as Scene)).toBeNull();
    expect(core12.backgroundOf(documentOf({ background: { src: 'a.webp' } }) as Scene)).toBe('a.webp');
  });

  test.each([{ background: { src: 'c.webp' } }, { 'background.src': 'c.webp' }])(
    'are taken as before',
    (given) => {
      expect(core14.changesOf('Scene', given, scene)).toEqual({
        levels: [{ _id: 'two', background: { src: 'c.webp' } }],
      });
      const { levels, initialLevel } = core14.changesOf('Scene', given) as {
        levels: { _id: string }[];
        initialLevel: string;
      };
      expect(levels).toMatchObject([{ _id: initialLevel, background: { src: 'c.webp' } }]);
      expect(core12.changesOf('Scene', given)).toEqual(given);
    },
  );
});

test('a template is a region with its shape, and is told as the template that it was', () => {
  const template = {
    t: 'cone',
    distance: 30,
    x: 1,
    y: 2,
    direction: 90,
    angle: 53,
    width: 0,
    fillColor: '#ff0000',
  };
  const region = regionOfTemplate({ ...template, flags: { a: 1 } });
  expect(region).toMatchObject({ name: 'Template', color: '#ff0000', flags: { a: 1 } });
  expect(templateOfRegion(region)).toEqual(template);
  expect(regionOfTemplate(region)).toBe(region);
  expect(templateOfRegion({ shapes: [] })).toBeUndefined();
  expect(templateOfRegion({ shapes: [{ type: 'polygon' }] })).toBeUndefined();
});
