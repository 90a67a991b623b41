import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ContentPlace,
  createContentStore,
  newSealKey,
} from '#shared/stored-content/content-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { startBucketServer } from '../../support/bucket-server.ts';

const place: ContentPlace = {
  kind: 'waiting',
  organizationId: newOrganizationId(),
  name: 'abcdefghijklmnop',
};
const path = `/bucket/waiting/${place.organizationId}/${place.name}`;

/** A bucket that answers the first requests with these statuses. */
async function startBucket(...faults: number[]) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { url, stop, objects, requests } = await startBucketServer(faults);
  onTestFinished(stop);
  const store = createContentStore({ bucketUrl: `${url}/bucket`, region: 'eu-west-1' });
  return { store, objects, requests, refuse: (status: number) => faults.push(status) };
}

describe('a content', () => {
  it('is stored compressed under its kind and organization, and read as it was', async () => {
    const { store, objects } = await startBucket();
    const content = { subject: 'Grüße', content: 'x'.repeat(10_000) };

    await store.put(place, content);

    expect(await store.get(place)).toEqual(content);
    expect(objects.get(path)?.byteLength).toBeLessThan(1_000);
    expect(JSON.parse(gunzipSync(objects.get(path) ?? '').toString())).toEqual(content);
  });

  it('that is sealed is read with its key, and with no other', async () => {
    const { store, objects } = await startBucket();
    const content = { subject: 'Your receipt', content: 'x'.repeat(10_000) };
    const key = newSealKey();

    await store.put(place, content, key);

    expect(await store.get(place, key)).toEqual(content);
    expect(objects.get(path)?.byteLength).toBeLessThan(1_000);
    await expect(store.get(place, newSealKey())).rejects.toThrow('unable to authenticate');
    await expect(store.get(place)).rejects.toThrow('incorrect header check');
  });

  it('that was deleted is none, and can be deleted again', async () => {
    const { store } = await startBucket();
    await store.put(place, {});

    await store.remove(place);
    await store.remove(place);

    expect(await store.get(place)).toBeUndefined();
  });

  it('that was deleted is none to a caller that gets a 403 for it, and may list its place', async () => {
    const { store, requests } = await startBucket(403);

    expect(await store.get(place)).toBeUndefined();
    expect(requests[1]).toBe(
      `GET /bucket/?list-type=2&prefix=${encodeURIComponent(`waiting/${place.organizationId}/${place.name}`)}`,
    );
  });

  it('that S3 refuses isn’t taken for deleted while it’s there', async () => {
    const { store, refuse } = await startBucket();
    await store.put(place, { subject: 'Hi' });

    refuse(403);
    // A log has the name of an error, not its message.
    await expect(store.get(place)).rejects.toMatchObject({ name: 'S3Answered403' });

    expect(await store.get(place)).toEqual({ subject: 'Hi' });
  });

  it('isn’t taken for deleted while S3 refuses everything', async () => {
    const { store } = await startBucket(403, 403);

    await expect(store.get(place)).rejects.toThrow('S3 answered 403');
  });

  it('is tried once more when S3 fails', async () => {
    const { store, objects } = await startBucket(503);

    await store.put(place, {});

    expect(objects.has(path)).toBe(true);
  });

  it.each([
    ['put', 'PUT'],
    ['get', 'GET'],
    ['remove', 'DELETE'],
  ] as const)('is not taken for done by %s while S3 fails', async (name, method) => {
    const { store, requests } = await startBucket(500, 500);

    const called = name === 'put' ? store.put(place, {}) : store[name](place);
    await expect(called).rejects.toThrow('S3 answered 500');

    expect(requests).toEqual([`${method} ${path}`, `${method} ${path}`]);
  });
});

describe('the contents of an organization', () => {
  it('are deleted without those of others', async () => {
    const { store, objects } = await startBucket();
    const other = { ...place, organizationId: newOrganizationId() };
    for (const one of [place, { ...place, name: 'ponmlkjihgfedcba' }, other]) {
      await store.put(one, {});
    }

    const isDone = await store.removeSome('waiting', place.organizationId);

    expect(isDone).toBe(true);
    expect([...objects.keys()]).toEqual([`/bucket/waiting/${other.organizationId}/${other.name}`]);
  });
});
