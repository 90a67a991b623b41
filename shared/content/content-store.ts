import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type * as z from 'zod/mini';
import { type BucketSettings, bucketSettingsOf, isMissing, openBucket } from '#shared/aws/bucket';
import type { bucketEnvironment } from '#shared/config/environment';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { ContentKind } from './content-kinds.ts';
import { seal, unseal } from './seal.ts';

/** Where a content is: one object. */
export type ContentPlace = {
  readonly kind: ContentKind;
  readonly organizationId: OrganizationId;
  /** Unique in its organization and never used again, so that nobody writes an object twice. */
  readonly name: string;
};

/** Deletions at a time. */
const concurrency = 16;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Every request to S3 may be repeated. */
type Patience = { readonly tries: number; readonly timeoutMs?: number };

/**
 * Keeps JSON in the bucket, compressed. The bucket encrypts it. With a key, a content is also sealed: `seal.ts`.
 */
export function createContentStore(
  settings: BucketSettings,
  { tries, ...waiting }: Patience = { tries: 2 },
) {
  const bucket = openBucket(settings);

  /** @throws Error when it isn't stored, or may not be. */
  async function put(place: ContentPlace, content: unknown, sealKey?: string): Promise<void> {
    const plain = await compress(JSON.stringify(content));
    const body = sealKey === undefined ? plain : seal(plain, sealKey);
    const headers = {
      'content-type': sealKey === undefined ? 'application/gzip' : 'application/octet-stream',
    };
    const response = await call('PUT', keyOf(place), { headers, body });
    if (!response.ok) throw answered(response);
  }

  /** `undefined` if it was deleted. @throws Error when S3 doesn't give it, or the key isn't the one it was sealed with. */
  async function get(place: ContentPlace, sealKey?: string): Promise<unknown> {
    const response = await call('GET', keyOf(place));
    if (isMissing(response)) return undefined;
    if (!response.ok) throw answered(response);
    const stored = await response.bytes();
    const plain = await decompress(sealKey === undefined ? stored : unseal(stored, sealKey));
    return JSON.parse(plain.toString());
  }

  /** Deleting what isn't there succeeds. @throws Error when it may still be there. */
  const remove = (place: ContentPlace): Promise<void> => removeKey(keyOf(place));

  async function removeKey(key: string): Promise<void> {
    const response = await call('DELETE', key);
    if (!response.ok && response.status !== 404) throw answered(response);
  }

  /**
   * Deletes up to a thousand contents of an organization.
   *
   * @returns whether it has no more of them.
   */
  async function removeSome(kind: ContentKind, organizationId: OrganizationId): Promise<boolean> {
    const prefix = `${kind}/${organizationId}/`;
    const response = await call('GET', '', { query: { 'list-type': '2', prefix } });
    if (!response.ok) throw answered(response);
    const list = await response.text();
    const keys = [...list.matchAll(keyInList)].flatMap(([, key = '']) => key);
    const own = keys.filter((key) => key.startsWith(prefix));
    await inParallel(own, concurrency, removeKey);
    return !isCutOff.test(list);
  }

  async function call(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    parts: Parameters<typeof bucket.call>[2] = {},
  ): Promise<Response> {
    for (let left = tries - 1; ; left -= 1) {
      try {
        const response = await bucket.call(method, key, { ...parts, ...waiting });
        const isOver = response.status < 500 || left === 0;
        if (isOver) return await withoutIdleBody(response);
        await response.body?.cancel();
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  }

  return { put, get, remove, removeSome };
}

/** S3 API reference, "ListObjectsV2". Our own keys have nothing that XML escapes. */
const keyInList = /<Key>([^<]*)<\/Key>/g;
const isCutOff = /<IsTruncated>true<\/IsTruncated>/;

const keyOf = ({ kind, organizationId, name }: ContentPlace): string =>
  `${kind}/${organizationId}/${name}`;

/** The connection of an answer that nobody reads to its end isn't used again. */
async function withoutIdleBody(response: Response): Promise<Response> {
  if (!response.ok) await response.body?.cancel();
  return response;
}

const answered = ({ status }: Response): Error => new Error(`S3 answered ${status}`);

export const openContentStore = (
  environment: z.output<typeof bucketEnvironment>,
  patience?: Patience,
) => createContentStore(bucketSettingsOf(environment), patience);
export type ContentStore = ReturnType<typeof openContentStore>;
