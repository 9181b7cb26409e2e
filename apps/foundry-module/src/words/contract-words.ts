import { operations, pastWords, scopes, triedWords } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/module-sdk';

/** Words that the contract has for operations and scopes, as keys beside our own texts. */
export type ContractKey =
  `operation.${OperationName}.${'asks' | 'did' | 'tried'}` | `scope.${Scope}.${'title' | 'danger'}`;

/** The build writes them into `languages/en.json`, so that the script has no part of the contract and other languages may have their own. */
export function contractWords(): Record<string, string> {
  const ofOperations = operations.flatMap((operation) => [
    [`operation.${operation.name}.asks`, operation.summary],
    [`operation.${operation.name}.did`, pastWords(operation)],
    [`operation.${operation.name}.tried`, triedWords(operation)],
  ]);
  const ofScopes = Object.entries<{ title: string; dangerous?: string }>(scopes).flatMap(
    ([scope, { title, dangerous }]) => [
      [`scope.${scope}.title`, title],
      ...(dangerous === undefined ? [] : [[`scope.${scope}.danger`, dangerous]]),
    ],
  );
  return Object.fromEntries([...ofOperations, ...ofScopes]) as Record<string, string>;
}
