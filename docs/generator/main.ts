import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { referenceFiles } from './reference.ts';

const root = path.join(import.meta.dirname, '../..');
for (const [name, text] of Object.entries(referenceFiles())) {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(name);
}
