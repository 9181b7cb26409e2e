import { itemsJson } from '../processes/bodies.ts';
import { measureCost } from '../measure.ts';
import type { Section } from '../report/report.ts';
import type { Scale } from '../scale.ts';
import type { Scene } from '../scene.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';

const ways = ['pipe', 'local', 'across'] as const;
const connections = 8;
const judgedBytes = 100_000;

/** What reply bodies of several sizes cost. */
export async function measureBodies(scene: Scene, scale: Scale): Promise<Section> {
  const sizes = await Promise.all(
    scale.replyBytes.map(async (bytes) => ({ bytes, ways: await scene.waysTo(bytes), costs: newCosts() })),
  );
  for (let round = 0; round <= scale.rounds; round++) {
    for (const size of sizes) {
      for (const way of ways) {
        const { cpuUs } = await measureCost({
          ...size.ways[way],
          connections,
          seconds: scale.seconds / 2,
        });
        if (round > 0) size.costs[way].push(cpuUs);
      }
      const parseUs = await measureParse(scene, size.bytes);
      if (round > 0) size.costs.parse.push(parseUs);
    }
  }
  const medianOf = (bytes: number, what: keyof Costs) =>
    spreadOf(sizes.find((size) => size.bytes === bytes)?.costs[what] ?? []).median;
  const smallest = Math.min(...scale.replyBytes);
  const copies = medianOf(judgedBytes, 'pipe') - medianOf(smallest, 'pipe');
  const allowed = medianOf(smallest, 'local') + medianOf(judgedBytes, 'parse') + copies;
  return {
    title: 'Reply bodies',
    reading: [
      `Processor time per call in µs, ${connections} connections. “Parse” is one JSON.parse of the body, measured in the`,
      'instance between the rounds. What the least relay needs more for a larger body are the copies that nobody can',
      'do without: from the world’s socket, through the WebSocket’s mask, into the caller’s socket. A body above',
      '128 KiB comes in chunks, as far ahead as the asker allows; from 32 KiB on it is scanned, not parsed.',
    ].join('\n'),
    columns: ['Body', 'Parse', 'The least relay', 'Owner local', 'Across instances'],
    rows: sizes.map(({ bytes, costs }) => [
      sizeInWords(bytes),
      ...(['parse', ...ways] as const).map((what) => showSpread(spreadOf(costs[what]), 0)),
    ]),
    verdicts: [
      {
        what: 'A 100 KB reply against a 1 KB call, one JSON.parse and the copies',
        before: '600 µs',
        target: allowed,
        measured: medianOf(judgedBytes, 'local'),
        unit: ' µs',
        whyMissed:
          'the text that is parsed has to be decoded from the frame first, a copy that the least relay spares',
      },
      ...scale.replyBytes
        .filter((bytes) => bytes >= judgedBytes)
        .map((bytes) => ({
          what: `CPU of a ${sizeInWords(bytes)} reply across instances against local`,
          before: before[bytes],
          target: 2,
          measured: medianOf(bytes, 'across') / medianOf(bytes, 'local'),
          unit: 'x',
          whyMissed:
            'what Redis sends is read into fresh memory, joined to chunks and to the body, and all of that is collected again',
        })),
    ],
  };
}

const before: Readonly<Record<number, string>> = {
  100_000: '4.0x (2.4 ms across)',
  1_000_000: '15.6 ms across',
};

const sizeInWords = (bytes: number) =>
  bytes < 1_000_000 ? `${bytes / 1_000} KB` : `${bytes / 1_000_000} MB`;

type Costs = Record<(typeof ways)[number] | 'parse', number[]>;

function newCosts(): Costs {
  return { parse: [], pipe: [], local: [], across: [] };
}

function measureParse({ instance }: Scene, bytes: number): Promise<number> {
  return instance.ask('parse', { text: itemsJson(bytes), times: Math.ceil(10_000_000 / bytes) });
}
