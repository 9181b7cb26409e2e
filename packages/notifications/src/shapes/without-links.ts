/** Is not seen, and is a part of no address. */
const gap = '\u200B';

/**
 * Text of which no chat and no mailbox makes a link or a mention. They find addresses by a scheme (`https:`), by dots within a
 * word (`www.example.com`, `discord.gg/x`) and by an `@`. People read it as it was. Dots between digits, of a version or an IP address, are left for who copies
 * them: without a scheme they make no link.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll(/(?<=[a-z])(?=:\S)/gi, gap)
    .replaceAll(/(?<=\S)(?=[.。．｡]\S)(?!(?<=\d)\.\d)/g, gap)
    .replaceAll('@', `@${gap}`);
}
