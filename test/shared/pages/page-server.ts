import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpResponse } from '#shared/http/http-response';
import { pageResponse } from '#shared/http/page-response';
import { pageSamples } from './page-samples.ts';

export type SeenRequest = { readonly method: string; readonly url: string; readonly body: string };

/** Serves the samples with the headers of production, answers every form with one, notes what was asked. */
export async function startPageServer() {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const seen = await readRequest(request);
    requests.push(seen);
    const { statusCode, headers, body } = answer(seen);
    response.writeHead(statusCode, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const { method = '', url = '' } = request;
  return { method, url, body: await text(request) };
}

function answer({ method, url }: SeenRequest): HttpResponse {
  const name = method === 'POST' ? 'preferences-saved' : url.slice(1);
  const page = pageSamples[name];
  return page === undefined ? { statusCode: 404, headers: {}, body: '' } : pageResponse(200, page);
}
