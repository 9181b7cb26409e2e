import path from 'node:path';
import { runStart } from './start.ts';

await runStart(path.join(import.meta.dirname, '../../..'), {
  buildsPages: !process.argv.includes('--no-build'),
});
