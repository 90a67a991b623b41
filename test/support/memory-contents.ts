import type { ContentErasure } from '#shared/send-history/send-erasure-store';
import type { Send } from '#shared/sending/send';
import { type ContentPlace, newSealKey } from '#shared/stored-content/content-store';

/** A bucket of contents in memory. `fault` may throw before an effect. */
export function memoryContents(fault: (effect: 'put' | 'get' | 'remove') => void = () => {}) {
  const objects = new Map<string, { readonly content: unknown; readonly sealKey?: string }>();
  const nameOf = ({ kind, organizationId, name }: ContentPlace) =>
    `${kind}/${organizationId}/${name}`;
  return {
    objects,
    async put(place: ContentPlace, content: unknown, sealKey?: string): Promise<void> {
      fault('put');
      objects.set(nameOf(place), { content, ...(sealKey !== undefined && { sealKey }) });
    },
    async get(place: ContentPlace, sealKey?: string): Promise<unknown> {
      fault('get');
      const found = objects.get(nameOf(place));
      if (found !== undefined && found.sealKey !== sealKey) throw new Error('sealed');
      return found?.content;
    },
    async remove(place: ContentPlace): Promise<void> {
      fault('remove');
      objects.delete(nameOf(place));
    },
  };
}

/** For those whose sends have no contents. */
export const noContentErasure: ContentErasure = {
  remove: async () => {},
  changeWaiting: async () => false,
  removeWaiting: async () => {},
};

/** What a claim notes of a send whose content is kept. */
export const keptFor = (contentDays: number): Pick<Send, 'contentDays' | 'contentKey'> => ({
  contentDays,
  contentKey: newSealKey(),
});
