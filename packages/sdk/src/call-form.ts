import type { CallForm } from '@tabletop-relay/contract';
import type { OperationRow } from './operation-table.ts';

/** How the contract asks for the operation of a row. */
export function formOf({ call, inQuery = [], inBody = [], rawBody }: OperationRow): CallForm {
  const [method, path = ''] = call.split(' ');
  return { method: method as CallForm['method'], path, inQuery, inBody, ...(rawBody ? { rawBody } : {}) };
}
