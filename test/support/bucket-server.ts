import { createServer } from 'node:http';
import { type LocalServer, listen } from '../../infra/local/server.ts';

export type BucketServer = LocalServer & {
  readonly objects: ReadonlyMap<string, Buffer>;
  /** For example `PUT /bucket/waiting/org_…/name`. */
  readonly requests: readonly string[];
};

/** A bucket in memory that answers the next requests with these statuses, which it takes out. */
export async function startBucketServer(faults: number[] = []): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url}`);
    const body = Buffer.concat(await request.toArray());
    const fault = faults.shift();
    if (fault !== undefined) return response.writeHead(fault).end();
    if (url.includes('?')) return response.end(listOf(objects, url));
    if (method === 'PUT') objects.set(url, body);
    if (method === 'DELETE') objects.delete(url);
    const found = objects.get(url);
    if (method === 'GET' && found === undefined) return response.writeHead(404).end();
    return response.writeHead(method === 'DELETE' ? 204 : 200).end(method === 'GET' ? found : '');
  });
  return { ...(await listen(server, 0)), objects, requests };
}

function listOf(objects: ReadonlyMap<string, Buffer>, url: string): string {
  const prefix = new URL(url, 'http://bucket').searchParams.get('prefix') ?? '';
  const keys = [...objects.keys()].map((path) => path.replace(/^\/[^/]*\//, ''));
  const listed = keys.filter((key) => key.startsWith(prefix));
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${listed
    .map((key) => `<Contents><Key>${key}</Key></Contents>`)
    .join('')}</ListBucketResult>`;
}
