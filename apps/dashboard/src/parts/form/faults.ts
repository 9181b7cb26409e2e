type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Faults that the page itself finds in a form, by the id of the input. */
export function faultsOf(form: HTMLFormElement): Record<string, string> {
  const inputs = [...form.elements].filter(
    (element): element is Input => 'validity' in element && element.id !== '',
  );
  return Object.fromEntries(inputs.flatMap((input) => faultOf(input).map((fault) => [input.id, fault])));
}

/** At most one sentence. Its length is looked at here, because browsers look only at what was typed. */
function faultOf(input: Input): string[] {
  const { validity, type, value } = input;
  const { title, min = '', max = '', minLength = 0 } = input as Partial<HTMLInputElement>;
  const length = Array.from(value).length;
  if (validity.valueMissing) return [missing[type] ?? 'This is needed.'];
  if (value !== '' && length < minLength)
    return [`${minLength} characters at least: ${minLength - length} more.`];
  if (validity.valid || validity.tooShort) return [];
  if (validity.typeMismatch) return [shapes[type] ?? 'This is not in the form that is asked for.'];
  if (type === 'number') return [`A whole number${rangeOf(min, max)}.`];
  return [title ? `${title}, please.` : 'This is not in the form that is asked for.'];
}

/** A maximum that nobody reaches is not shown. */
function rangeOf(min: string, max: string): string {
  if (min === '') return '';
  return max === '' || Number(max) > 1e9 ? ` from ${min} on` : ` from ${min} to ${max}`;
}

const missing: Readonly<Record<string, string>> = {
  email: 'Your e-mail address is needed.',
  password: 'The password is needed.',
  url: 'The address is needed.',
};

const shapes: Readonly<Record<string, string>> = {
  email: 'An e-mail address looks like name@example.org.',
  url: 'An address begins with https:// or http://.',
};
