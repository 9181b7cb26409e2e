import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';

interface Manifest {
  esmodules: string[];
  styles: string[];
  languages: { path: string }[];
  compatibility: object;
}

const here = (name: string) => path.join(import.meta.dirname, name);
const files: Record<string, Uint8Array> = {};
let script = '';

beforeAll(async () => {
  const built = await build({
    configFile: here('../vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  });
  for (const output of Array.isArray(built) ? built.flatMap((one) => one.output) : []) {
    const source = output.type === 'chunk' ? output.code : output.source;
    files[output.fileName] = typeof source === 'string' ? new TextEncoder().encode(source) : source;
    if (output.type === 'chunk') script += output.code;
  }
});

test('the manifest is what the tabletop documents, and names files that are there', () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const isValid = ajv.compile(JSON.parse(readFileSync(here('manifest.schema.json'), 'utf8')) as object);
  const manifest = JSON.parse(new TextDecoder().decode(files['module.json'])) as Manifest;
  const served = { ...manifest, url: 'https://r.example/module', flags: { a: {} } };
  expect([isValid(served), isValid.errors]).toEqual([true, null]);
  expect(isValid({ ...served, packs: {} })).toBe(false);
  const named = [
    ...manifest.esmodules,
    ...manifest.styles,
    ...manifest.languages.map((language) => language.path),
    'LICENSE',
    'NOTICES.md',
  ];
  expect(named.filter((name) => files[name] === undefined)).toEqual([]);
  // Until people have reported from a real tabletop.
  expect(manifest.compatibility).toEqual({ minimum: '12.331' });
});

// One file, so that nothing is missing when the tabletop's server is away. Of what is sent of it a third is the operations, a sixth what game masters
// allow, a seventh the SDK, a tenth the window.
test('the package is small: 200 kB as a zip, the script 160 kB and 50 kB as servers compress it', () => {
  expect(zipSync(files).length).toBeLessThanOrEqual(200_000);
  expect(script.length).toBeLessThanOrEqual(160_000);
  expect(gzipSync(script).length).toBeLessThanOrEqual(50_000);
});

test('the script makes no code, no HTML and no request of its own, and imports nothing', () => {
  // `eval` stands among the names of fields by which code is known, in a pattern.
  expect(script).not.toMatch(
    /\beval\b(?![|$])|\bFunction\(|new Function|(inner|outer)HTML\s*\+?=[^=]|insertAdjacentHTML|document\.write/,
  );
  expect(script).not.toMatch(/^import |\bimport\(|\brequire\(/m);
  const addresses = [...script.matchAll(/["'`](?:https?|wss?):\/\/[^"'`\s]*/g)].map(([found]) => found);
  // Names of markup are written as addresses, and nobody asks for them.
  const asked = addresses.filter((one) => !/^.http:\/\/www\.w3\.org\/(1999|2000)\//.test(one));
  expect(asked.filter((one) => !/^.(https?|wss?):\/\/($|\$\{)/.test(one))).toEqual([]);
});
