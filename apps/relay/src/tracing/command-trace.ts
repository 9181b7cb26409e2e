/** Puts the trace into a command for a module, as the first member of its JSON text. No operation has a parameter of that name. */
export function addTraceparent(fieldsJson: string, traceparent: string): string {
  return `{"traceparent":"${traceparent}"${fieldsJson === '{}' ? '' : ','}${fieldsJson.slice(1)}`;
}
