import type { ContentPlace, ContentStore } from '#shared/content/content-store';
import type { Ledger } from './ledger.ts';
import type { Sandbox } from './sandbox.ts';

/** The bucket as one process reaches it: any of its calls may go wrong. */
export const openSimulatedBucket = (
  sandbox: Sandbox,
  { contents, deletedContents }: Ledger,
): ContentStore => ({
  put: (place, content) =>
    sandbox.call('S3 PUT', async () => {
      contents.set(keyInBucket(place), JSON.stringify(content));
    }),
  get: (place) =>
    sandbox.call('S3 GET', async (): Promise<unknown> => {
      const found = contents.get(keyInBucket(place));
      return found === undefined ? undefined : JSON.parse(found);
    }),
  remove: (place) =>
    sandbox.call('S3 DELETE', async () => {
      contents.delete(keyInBucket(place));
      deletedContents.add(keyInBucket(place));
    }),
  removeSome: async () => true,
});

export const keyInBucket = ({ kind, organizationId, name }: ContentPlace) =>
  `${kind}/${organizationId}/${name}`;
