import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf, readMembers, zipped } from './zip-members.ts';
import type { Members } from './zip-members.ts';

/** The Python SDK as a package that pip and uv install. */
export interface PythonWheel {
  /** `tabletop_relay-<version>-py3-none-any.whl`: one name for whatever this version holds. */
  plainName: string;
  /** The plain name with a hash of the content as its build tag, which must begin with a digit. */
  name: string;
  bytes: Buffer;
}

/** The part of `package.json` that a wheel tells. */
interface Manifest {
  version: string;
  description: string;
  license: string;
  keywords: string[];
  python: { name: string; requires: string; dependencies: string[] };
}

/**
 * Packs the Python SDK in `folder`, as hatchling would by its `pyproject.toml`: a wheel needs no Python to be made. Undefined where
 * the folder is not there. https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 */
export function packWheel(folder: string): PythonWheel | undefined {
  if (!existsSync(path.join(folder, 'package.json'))) return undefined;
  const read = (name: string) => readFileSync(path.join(folder, name));
  const manifest = JSON.parse(read('package.json').toString()) as Manifest;
  const project = manifest.python.name.replaceAll('-', '_');
  const info = `${project}-${manifest.version}.dist-info`;
  const modules = Object.entries(readMembers(path.join(folder, 'src'))).filter(
    // And none that Python or a checker has left there.
    ([name]) => name.endsWith('.py') || name.endsWith('/py.typed'),
  );
  const members: Members = {
    ...Object.fromEntries(modules),
    [`${info}/METADATA`]: Buffer.from(metadataOf(manifest, read('README.md').toString())),
    [`${info}/WHEEL`]: Buffer.from(wheelFacts),
    [`${info}/licenses/LICENSE`]: read('LICENSE'),
  };
  const record = `${info}/RECORD`;
  const all = { ...members, [record]: Buffer.from(recordOf(members, record)) };
  const named = (build: string) => `${project}-${manifest.version}${build}-py3-none-any.whl`;
  return { plainName: named(''), name: named(`-0_${hashOf(all)}`), bytes: zipped(all) };
}

const wheelFacts = `Wheel-Version: 1.0
Generator: tabletop-relay
Root-Is-Purelib: true
Tag: py3-none-any
`;

function metadataOf({ version, description, license, keywords, python }: Manifest, readme: string): string {
  return `Metadata-Version: 2.4
Name: ${python.name}
Version: ${version}
Summary: ${description}
License-Expression: ${license}
License-File: LICENSE
Keywords: ${keywords.toSorted().join(',')}
Requires-Python: ${python.requires}
${python.dependencies.map((dependency) => `Requires-Dist: ${dependency}\n`).join('')}Description-Content-Type: text/markdown

${readme}`;
}

/** Each file with its hash and size, but for the record itself. */
function recordOf(members: Members, record: string): string {
  const lines = Object.entries(members).map(([name, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url');
    return `${name},sha256=${hash},${bytes.length}\n`;
  });
  return `${lines.join('')}${record},,\n`;
}
