import { account } from '../request.ts';
import { findKey } from '../store.ts';

/** A key by its name, which leads to its page; `name` is how it was called when it is gone. */
export function KeyLink({ id, name }: { id: string; name: string }) {
  const known = findKey(id);
  if (known) return <a href={`/dashboard/keys/${id}`}>{known.name}</a>;
  if (id === account.value?.id) return <a href="/dashboard/account#rotate">Master key</a>;
  return <>{name}</>;
}
