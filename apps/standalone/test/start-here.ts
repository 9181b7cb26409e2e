import { runStart } from '../src/start.ts';

// A start whose pages are those of the folder that the test names.
await runStart(process.argv[2] ?? '', { buildsPages: true });
