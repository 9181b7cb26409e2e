import type { Signal } from '@preact/signals';

/** Key of the call: one made for this page, or a pasted one (then `pasted` is a string). */
export function KeyChoice({ pasted }: { pasted: Signal<string | undefined> }) {
  return (
    <fieldset>
      <legend>Key</legend>
      <label class="choice">
        <input
          type="radio"
          name="key"
          checked={pasted.value === undefined}
          onChange={() => (pasted.value = undefined)}
        />{' '}
        A new one for this world. It ends after an hour.
      </label>
      <label class="choice">
        <input
          type="radio"
          name="key"
          checked={pasted.value !== undefined}
          onChange={() => (pasted.value = '')}
        />{' '}
        One that I paste
      </label>
      {pasted.value !== undefined && (
        <input
          class="indented mono"
          aria-label="API key"
          placeholder="trk_…"
          autoComplete="off"
          spellcheck={false}
          required
          value={pasted.value}
          onInput={(event) => (pasted.value = event.currentTarget.value.trim())}
        />
      )}
    </fieldset>
  );
}
