/** Puts what the relay knows into a command for a module, as the first member of its JSON text. No operation has a parameter of that name. */
export function addMember(
  fieldsJson: string,
  name: 'traceparent' | 'caller' | 'idempotency',
  value: unknown,
): string {
  return `{"${name}":${JSON.stringify(value)}${fieldsJson === '{}' ? '' : ','}${fieldsJson.slice(1)}`;
}
