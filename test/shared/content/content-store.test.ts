import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ContentPlace, createContentStore } from '#shared/content/content-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { listen } from '../../../infra/local/server.ts';

const place: ContentPlace = {
  kind: 'waiting',
  organizationId: newOrganizationId(),
  name: 'abcdefghijklmnop',
};
const path = `/bucket/waiting/${place.organizationId}/${place.name}`;

/** A bucket in memory that answers the first requests with these statuses. */
async function startBucket(...faults: number[]) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url}`);
    const body = Buffer.concat(await request.toArray());
    const fault = faults.shift();
    if (fault !== undefined) return response.writeHead(fault).end();
    if (url.includes('?')) return response.end(listOf(objects));
    if (method === 'PUT') objects.set(url, body);
    if (method === 'DELETE') objects.delete(url);
    const found = objects.get(url);
    if (method === 'GET' && found === undefined) return response.writeHead(404).end();
    return response.writeHead(method === 'DELETE' ? 204 : 200).end(method === 'GET' ? found : '');
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(stop);
  const store = createContentStore({ bucketUrl: `${url}/bucket`, region: 'eu-west-1' });
  return { store, objects, requests };
}

const listOf = (objects: ReadonlyMap<string, Buffer>) =>
  `<ListBucketResult><IsTruncated>false</IsTruncated>${[...objects.keys()]
    .map((url) => `<Contents><Key>${url.replace('/bucket/', '')}</Key></Contents>`)
    .join('')}</ListBucketResult>`;

describe('a content', () => {
  it('is stored compressed under its kind and organization, and read as it was', async () => {
    const { store, objects } = await startBucket();
    const content = { subject: 'Grüße', content: 'x'.repeat(10_000) };

    await store.put(place, content);

    expect(await store.get(place)).toEqual(content);
    expect(objects.get(path)?.byteLength).toBeLessThan(1_000);
    expect(JSON.parse(gunzipSync(objects.get(path) ?? '').toString())).toEqual(content);
  });

  it('that was deleted is none, and can be deleted again', async () => {
    const { store } = await startBucket();
    await store.put(place, {});

    await store.remove(place);
    await store.remove(place);

    expect(await store.get(place)).toBeUndefined();
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

    await expect(store[name](place, {})).rejects.toThrow('S3 answered 500');

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
