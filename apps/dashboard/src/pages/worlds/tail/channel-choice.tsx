import type { Signal } from '@preact/signals';
import { channelNames, channels } from '@tabletop-relay/contract';
import type { Channel } from '@tabletop-relay/contract';

export interface Choice {
  channels: readonly Channel[];
  /** For the channel `actor`, which follows one. */
  actorUuid: string;
}

/** Browsers hold six connections to a relay without HTTP/2; this page needs some for itself. */
const mostChannels = 3;

export function ChannelChoice({ choice, isDisabled }: { choice: Signal<Choice>; isDisabled: boolean }) {
  const { channels: chosen, actorUuid } = choice.value;
  const toggle = (name: Channel) => {
    const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    choice.value = { ...choice.value, channels: next };
  };
  return (
    <fieldset disabled={isDisabled}>
      <legend>Channels, up to {mostChannels} at a time</legend>
      <div class="tail-channels">
        {channelNames.map((name) => (
          <label class="choice" key={name} title={channels[name].summary}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={!chosen.includes(name) && chosen.length >= mostChannels}
              onChange={() => toggle(name)}
            />{' '}
            {name}
          </label>
        ))}
      </div>
      {chosen.includes('actor') && (
        <label class="field">
          Actor
          <input
            class="mono"
            placeholder="Actor.mira"
            spellcheck={false}
            value={actorUuid}
            onInput={(event) =>
              (choice.value = { ...choice.value, actorUuid: event.currentTarget.value.trim() })
            }
          />
        </label>
      )}
    </fieldset>
  );
}
