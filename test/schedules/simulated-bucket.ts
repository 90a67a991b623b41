import * as z from 'zod';
import type { Send } from '#shared/sending/send';
import type { ContentPlace, ContentStore } from '#shared/stored-content/content-store';
import type { Ledger } from './ledger.ts';
import type { Sandbox } from './sandbox.ts';

/** The bucket as one process reaches it: any of its calls may go wrong. */
export const openSimulatedBucket = (
  sandbox: Sandbox,
  { contents, deletedContents, sends, violate }: Ledger,
  now: () => number,
): ContentStore => ({
  put: (place, content, sealKey) =>
    sandbox.call('S3 PUT', async () => {
      if (sealKey === undefined) violate('what waits is sealed', place.name);
      contents.set(keyInBucket(place), JSON.stringify({ content, sealKey }));
    }),
  get: (place, sealKey) =>
    sandbox.call('S3 GET', async (): Promise<unknown> => {
      const found = contents.get(keyInBucket(place));
      if (found === undefined) return undefined;
      const stored = storedSchema.parse(JSON.parse(found));
      if (stored.sealKey !== sealKey) violate('what waits is opened with its key', place.name);
      return stored.content;
    }),
  remove: (place) =>
    sandbox.call('S3 DELETE', async () => {
      const isWanted = ({ dueAt, contentId, expiresAt }: Send) =>
        dueAt !== undefined && contentId === place.name && expiresAt > now() / 1_000;
      const wanting = [...sends.values()].find(isWanted);
      if (wanting)
        violate('what is to go out keeps its content', wanting.idempotencyKey ?? 'no key');
      contents.delete(keyInBucket(place));
      const key = keyInBucket(place);
      deletedContents.set(key, deletedContents.get(key) ?? now());
    }),
  removeSome: async () => true,
});

const storedSchema = z.object({ content: z.unknown(), sealKey: z.optional(z.string()) });

export const keyInBucket = ({ kind, organizationId, name }: ContentPlace) =>
  `${kind}/${organizationId}/${name}`;
