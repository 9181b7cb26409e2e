import { foundPython } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startInstances } from '../instances.ts';

const program = `
import asyncio, json, sys, websockets

async def main():
    async with websockets.connect(sys.argv[1]) as socket:
        await socket.send(json.dumps({"type": "auth", "token": sys.argv[2]}))
        connected = json.loads(await socket.recv())
        await socket.send(json.dumps({"type": "players", "requestId": "1"}))
        answer = json.loads(await socket.recv())
        print(json.dumps([connected["type"], answer["type"], answer["requestId"]]))

asyncio.run(main())
`;

it.skipIf(foundPython() === '')('the library websockets for Python calls', async () => {
  const instances = await startInstances();
  const [{ url }] = instances.instances;
  const account = await createAccount(url);
  const module = await connectModule(url, await account.pair(), () => ({ data: {} }));
  const args = ['-c', program, `${url.replace('http', 'ws')}/ws/api`, await account.createKey()];
  const { stdout } = await promisify(execFile)(foundPython(), args);
  expect(JSON.parse(stdout)).toEqual(['connected', 'players-result', '1']);
  await module.close();
  await instances.stop();
});
