interface CardsProps<Option> {
  legend: string;
  /** The name of the group in the form. */
  name: string;
  options: readonly (Option & { name: string; what: string })[];
  /** The name of the chosen one; undefined: none. */
  chosen: string | undefined;
  choose: (option: Option) => void;
}

/** A choice of one among few that need a sentence each. */
export function Cards<Option>({ legend, name, options, chosen, choose }: CardsProps<Option>) {
  return (
    <fieldset class="presets">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label class="preset" key={option.name}>
          <input type="radio" name={name} checked={chosen === option.name} onChange={() => choose(option)} />
          <span>
            <strong>{option.name}</strong>
            <small>{option.what}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
