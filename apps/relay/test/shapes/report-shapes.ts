import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

// Loaded into a relay with `--import`. At SIGUSR2 it prints whether V8 still gives two objects that begin with the same new
// name one hidden class.
setFlagsFromString('--allow-natives-syntax');
// From text, because only V8 with that flag can read it.
const haveSameShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean;

process.on('SIGUSR2', () => {
  const name = Symbol('new');
  const areShared = haveSameShape({ [name]: 1 }, { [name]: 1 });
  process.stdout.write(`shapes are ${areShared ? 'shared' : 'not shared'}\n`);
});
