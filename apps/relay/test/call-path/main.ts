import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureCallPaths } from './measure.ts';
import { pageUrl, writeCallPaths } from './page.ts';

const usage = `pnpm call-path [--print]
  Measures which files and functions of ours one call runs through, and writes them into docs/architecture.md.
  --print  Prints them as JSON instead.`;

const { values } = parseArgs({ options: { print: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) console.log(usage);
else {
  const paths = await measureCallPaths();
  if (values.print) console.log(JSON.stringify(paths));
  else {
    writeFileSync(pageUrl, writeCallPaths(paths));
    for (const way of ['local', 'remote'] as const) {
      const functions = paths[way].flatMap((passed) => passed.functions);
      console.log(`${way}: ${functions.length} functions in ${paths[way].length} files`);
    }
  }
}
