import type { ScriptJob } from '../world/outside.ts';

const messagesAtMost = 20;

/**
 * The whole of what the interpreter runs: it makes `game` and `ChatMessage`, and calls the script as the body of an
 * asynchronous function. A script may well get round this, and is still in the interpreter then: what comes back is
 * trusted in nothing.
 */
export const program = ({ script, args, game }: ScriptJob): string => `
((parse, stringify, AsyncFunction) => {
  // A world's data is large and most scripts need none of it, so it is read at first use.
  let world;
  Object.defineProperty(globalThis, 'game', { get: () => (world ??= readWorld()) });
  const readWorld = () => {
    const game = parse(${JSON.stringify(game)});
    for (const list of [game.users, game.actors, game.scenes]) {
      list.getName = (name) => list.find((one) => one.name === name);
      list.get = (id) => list.find((one) => (one._id ?? one.id) === id);
      list.contents = [...list];
    }
    return game;
  };
  const said = [];
  globalThis.ChatMessage = {
    create: async ({ content } = {}) => {
      if (said.length >= ${messagesAtMost}) throw new Error('A script may send ${messagesAtMost} messages');
      said.push(String(content));
    },
  };
  const told = (value) => {
    const text = stringify(value === undefined ? null : value);
    if (text === undefined) throw new TypeError('The script returned what is not JSON');
    return '{"value":' + text + ',"said":' + stringify(said) + '}';
  };
  return AsyncFunction('args', ${JSON.stringify(script)})(parse(${JSON.stringify(args)})).then(told);
})(JSON.parse, JSON.stringify, (async () => {}).constructor);
`;
