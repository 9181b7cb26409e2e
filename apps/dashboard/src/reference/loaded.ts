import { computed } from '@preact/signals';
import { createResource } from '../resource.ts';
import { RelayError } from '@tabletop-relay/sdk';
import { sectionsOf } from './document.ts';
import type { ApiDocument } from './document.ts';

/** The relay's OpenAPI document. */
export const apiDocument = createResource(() => readJson<ApiDocument>('/openapi.json'));

export const sections = computed(() => (apiDocument.data.value ? sectionsOf(apiDocument.data.value) : []));

async function readJson<T>(path: string): Promise<T> {
  try {
    const response = await fetch(path);
    if (response.ok) return (await response.json()) as T;
    throw new Error(`${path} was answered with ${response.status}`);
  } catch (cause) {
    throw new RelayError({ code: 'connection_failed', detail: 'The relay did not answer.', cause });
  }
}
