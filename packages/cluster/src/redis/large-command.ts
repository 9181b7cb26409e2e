import { Command } from 'ioredis';
import type { Writable } from 'node:stream';

/** One argument of a command. Bytes in parts are written one behind the other. */
export type Argument = string | number | Bytes;
export type Bytes = Buffer | readonly Buffer[];

/** Parts from this length on are written as they are. Smaller ones cost less when they are joined. */
export const largeBytes = 16 * 1024;

/** The answer comes as bytes where `replyEncoding` is null. */
export function createCommand(
  name: string,
  args: readonly Argument[],
  replyEncoding: 'utf8' | null,
): Command {
  return args.every(isPlain)
    ? new Command(name, args as (string | number | Buffer)[], { replyEncoding })
    : new LargeCommand(name, args, replyEncoding);
}

const isLarge = (part: Buffer): boolean => part.length >= largeBytes;
const isPlain = (arg: Argument): boolean =>
  typeof arg !== 'object' || (Buffer.isBuffer(arg) && !isLarge(arg));

export const lengthOf = (bytes: Bytes): number =>
  Buffer.isBuffer(bytes) ? bytes.length : bytes.reduce((sum, { length }) => sum + length, 0);

/** ioredis copies all arguments of a command into one buffer. This writes the large ones without a copy, and takes parts. */
class LargeCommand extends Command {
  constructor(name: string, args: readonly Argument[], replyEncoding: 'utf8' | null) {
    super(name, [], { replyEncoding });
    // Given to ioredis they would be flattened, and the parts of an argument become arguments.
    this.args = args as Command['args'];
  }

  override toWritable(socket: object): Buffer {
    const stream = socket as Writable;
    // ioredis writes the rest, which this answers, in the same turn. All of it then leaves in one write.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const words = [this.name, ...(this.args as Argument[])];
    let small: Buffer[] = [Buffer.from(`*${words.length}\r\n`)];
    for (const word of words) {
      const bytes = typeof word === 'object' ? word : Buffer.from(String(word));
      small.push(Buffer.from(`$${lengthOf(bytes)}\r\n`));
      for (const part of Buffer.isBuffer(bytes) ? [bytes] : bytes) {
        if (isLarge(part)) {
          stream.write(Buffer.concat(small));
          stream.write(part);
          small = [];
        } else small.push(part);
      }
      small.push(lineEnd);
    }
    return Buffer.concat(small);
  }
}

const lineEnd = Buffer.from('\r\n');
