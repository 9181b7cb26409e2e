import { useEffect, useState } from 'preact/hooks';
import { isPlaying, playedUntil } from '../../world/played-sound.ts';
import type { WorldState } from '../../world/state.ts';
import { useTable } from '../table.ts';

/** Sounds at the table: those of playlists that play, and single ones. */
export function Music() {
  const { state } = useTable();
  const now = useNow(state.value);
  const heard = [...fromPlaylists(state.value), ...byThemselves(state.value, now)];
  return (
    <div class="music" role="status" aria-label="Playing">
      {heard.length > 0 && (
        <ul>
          {heard.map(({ key, name, from, volume }) => (
            <li key={key}>
              {name}{' '}
              <span class="from">{[from, `${Math.round(volume * 100)} %`].filter(Boolean).join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface Heard {
  key: string;
  name: string;
  from: string;
  volume: number;
}

function fromPlaylists({ documents }: WorldState): Heard[] {
  return Object.entries(documents).flatMap(([uuid, { kind, parent, data }]) => {
    if (kind !== 'PlaylistSound' || data['playing'] !== true) return [];
    const { name, volume } = data;
    const from = documents[parent ?? '']?.data['name'];
    return [
      { key: uuid, name: wordOf(name), from: wordOf(from), volume: typeof volume === 'number' ? volume : 1 },
    ];
  });
}

function byThemselves({ sounds }: WorldState, now: number): Heard[] {
  return sounds
    .filter((sound) => isPlaying(sound, now))
    .map(({ src, volume, loop, at }, index) => ({
      key: `${src},${at},${index}`,
      name: src.slice(src.lastIndexOf('/') + 1),
      from: loop ? 'again and again' : 'once',
      volume,
    }));
}

/** The time, renewed whenever a sound ends by itself. */
function useNow({ sounds }: WorldState): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const current = Date.now();
    setNow(current);
    const ends = sounds.map(playedUntil).filter((end) => end > current && end < Infinity);
    if (ends.length === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(...ends) - current + 50);
    return () => clearTimeout(timer);
  }, [sounds, now]);
  return now;
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');
