import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type * as z from 'zod/mini';
import { type BucketSettings, bucketSettingsOf, openBucket } from '#shared/aws/bucket';
import { capability } from '#shared/aws/capability';
import { bucketEnvironment } from '#shared/config/environment';
import { refusedBy } from '#shared/errors/refused-by';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { ContentKind } from './content-lifetimes.ts';

export type ContentPlace = {
  readonly kind: ContentKind;
  readonly organizationId: OrganizationId;
  /** Unique in its organization and never reused, so no object is written twice. */
  readonly name: string;
};

const concurrency = 16;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Every request to S3 may be repeated. */
type Patience = { readonly tries: number; readonly timeoutMs?: number };

/** Stores compressed JSON. The bucket encrypts it; with a key, a content is also sealed. */
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

  /**
   * `undefined` if it was deleted. A 403 may mean that, too, unless the caller may list the bucket (S3 API reference,
   * "GetObject"). AWS doesn't say whether a permission limited by prefix counts, so the list decides.
   *
   * @throws Error when S3 doesn't return it, or another key sealed it.
   */
  async function get(place: ContentPlace, sealKey?: string): Promise<unknown> {
    const key = keyOf(place);
    const response = await call('GET', key);
    if (response.status === 404) return undefined;
    if (response.status === 403 && !(await list(key)).keys.includes(key)) return undefined;
    if (!response.ok) throw answered(response);
    const stored = await response.bytes();
    const plain = await decompress(sealKey === undefined ? stored : unseal(stored, sealKey));
    return JSON.parse(plain.toString());
  }

  /**
   * Succeeds if it isn't there.
   *
   * @throws Error when it may still be there.
   */
  const remove = (place: ContentPlace): Promise<void> => removeKey(keyOf(place));

  async function removeKey(key: string): Promise<void> {
    const response = await call('DELETE', key);
    if (!response.ok && response.status !== 404) throw answered(response);
  }

  /**
   * Removes at most a thousand.
   *
   * @returns whether none is left.
   */
  async function removeSome(kind: ContentKind, organizationId: OrganizationId): Promise<boolean> {
    const prefix = `${kind}/${organizationId}/`;
    const { keys, isCutOff } = await list(prefix);
    const own = keys.filter((key) => key.startsWith(prefix));
    await inParallel(own, concurrency, removeKey);
    return !isCutOff;
  }

  async function list(prefix: string) {
    const response = await call('GET', '', { query: { 'list-type': '2', prefix } });
    if (!response.ok) throw answered(response);
    const text = await response.text();
    const keys = [...text.matchAll(keyInList)].flatMap(([, key = '']) => key);
    return { keys, isCutOff: cutOffList.test(text) };
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

/** S3 API reference, "ListObjectsV2". Our own keys contain nothing that XML escapes. */
const keyInList = /<Key>([^<]*)<\/Key>/g;
const cutOffList = /<IsTruncated>true<\/IsTruncated>/;

const keyOf = ({ kind, organizationId, name }: ContentPlace): string =>
  `${kind}/${organizationId}/${name}`;

/** A connection whose answer isn't read to its end isn't reused. */
async function withoutIdleBody(response: Response): Promise<Response> {
  if (!response.ok) await response.body?.cancel();
  return response;
}

const answered = ({ status }: Response): Error => refusedBy('S3', status);

export const openContentStore = (
  environment: z.output<typeof bucketEnvironment>,
  patience?: Patience,
) => createContentStore(bucketSettingsOf(environment), patience);
export type ContentStore = ReturnType<typeof openContentStore>;

export const readsKeptContents = /* @__PURE__ */ capability(
  { environment: bucketEnvironment, contents: { kept: ['Get'] } },
  openContentStore,
);

const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** For one content only. Deleting the key erases the content, even if that is stored later. */
export const newSealKey = (): string => randomBytes(32).toString('base64url');

export function seal(plain: Uint8Array, sealKey: string): Buffer {
  const iv = randomBytes(ivLength);
  const sealing = createCipheriv(cipher, Buffer.from(sealKey, 'base64url'), iv);
  return Buffer.concat([iv, sealing.update(plain), sealing.final(), sealing.getAuthTag()]);
}

/** @throws Error when it was sealed with another key, or changed. */
function unseal(sealed: Uint8Array, sealKey: string): Buffer {
  const key = Buffer.from(sealKey, 'base64url');
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  opening.setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([opening.update(sealed.subarray(ivLength, -tagLength)), opening.final()]);
}
