import { createServer } from 'node:http';
import { type LocalServer, listen } from '../../infra/local/server.ts';

export type BucketServer = LocalServer & {
  readonly objects: ReadonlyMap<string, Buffer>;
  /** For example `PUT /bucket/waiting/org_…/name`. */
  readonly requests: readonly string[];
};

/** A bucket in memory that answers the first requests with these statuses. */
export async function startBucketServer(...faults: number[]): Promise<BucketServer> {
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
  return { ...(await listen(server, 0)), objects, requests };
}

const listOf = (objects: ReadonlyMap<string, Buffer>) =>
  `<ListBucketResult><IsTruncated>false</IsTruncated>${[...objects.keys()]
    .map((url) => `<Contents><Key>${url.replace(/^\/[^/]*\//, '')}</Key></Contents>`)
    .join('')}</ListBucketResult>`;
