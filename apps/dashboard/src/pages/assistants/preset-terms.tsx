import type { Signal } from '@preact/signals';
import type { Scope } from '@tabletop-relay/contract';
import { Cards } from '../../parts/form/cards.tsx';
import { KeyLimits } from '../keys/key-terms.tsx';
import type { KeyTerms } from '../keys/key-terms.tsx';
import { ScopeSentences } from '../keys/scope-sentences.tsx';
import { Cautions } from './cautions.tsx';

/** What an assistant is for. */
export interface Preset {
  name: string;
  what: string;
  scopes: readonly Scope[];
}

interface PresetTermsProps<P> {
  options: readonly P[];
  preset: Signal<P>;
  terms: Signal<KeyTerms>;
}

/** What an assistant may do: a choice among presets, what the choice means, and its limits. */
export function PresetTerms<P extends Preset>({ options, preset, terms }: PresetTermsProps<P>) {
  return (
    <>
      <Cards
        legend="What it is for"
        name="preset"
        options={options}
        chosen={preset.value.name}
        choose={(chosen: P) => {
          preset.value = chosen;
          terms.value = { ...terms.value, scopes: [...chosen.scopes] };
        }}
      />
      <section class="sees">
        <h2>It may</h2>
        <ScopeSentences scopes={terms.value.scopes} />
        <Cautions preset={preset.value.name} scopes={terms.value.scopes} />
      </section>
      <KeyLimits terms={terms} />
    </>
  );
}
