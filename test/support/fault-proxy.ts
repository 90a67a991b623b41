import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, readBody } from '../../infra/local/server.ts';
import { createRequestRelay } from '../../infra/local/ses/ses-server.ts';
import type { Action, Exchange } from './faults.ts';

/** A request that came through, whether it was forwarded or not. */
export type RecordedRequest = {
  /** `TransactWriteItems` of DynamoDB, `SendEmail` of SES, else method and path. */
  readonly operation: string;
  /** The JSON body, parsed when it is asked for. */
  readonly body: unknown;
};

export type Fault = {
  readonly operation: string;
  /** Only requests with such a body. */
  readonly matches?: (body: unknown) => boolean;
  /** How many requests it happens to; 1 by default. */
  readonly times?: number;
  readonly action: Action;
};

export type FaultProxy = {
  readonly url: string;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** How many requests of that operation came so far. */
  count(operation: string): number;
  /** The first injected fault that matches a request happens to it. */
  inject(fault: Fault): void;
  /** Forgets faults and requests. */
  clear(): void;
  stop(): Promise<void>;
};

/** A real HTTP proxy in front of DynamoDB Local or the SES simulator, which fails as told. */
export async function startFaultProxy(options: { readonly target: string }): Promise<FaultProxy> {
  const target = createRequestRelay(options.target);
  const requests: RecordedRequest[] = [];
  const faults = createFaultList();
  const server = createServer((incoming, response) => {
    receive(incoming)
      .then(async ({ request, payload }) => {
        requests.push(request);
        const forward = async () => {
          const answer = await target.relay(incoming, payload);
          return { ...answer, body: answer.body.toString() };
        };
        await faults.takeAction(request)(exchangeOf(incoming, request, forward, response));
      })
      // The target is not there: so is the proxy not.
      .catch(() => response.socket?.resetAndDestroy());
  });
  server.keepAliveTimeout = 75_000;
  const { url, stop } = await listen(server, 0);
  return {
    url,
    requests,
    count: (operation) => requests.filter((request) => request.operation === operation).length,
    inject: faults.inject,
    clear: () => {
      faults.clear();
      requests.length = 0;
    },
    stop: async () => {
      target.close();
      await stop();
    },
  };
}

function createFaultList() {
  const faults: (Fault & { left: number })[] = [];
  return {
    inject: (fault: Fault) => {
      faults.push({ ...fault, left: fault.times ?? 1 });
    },
    clear: () => {
      faults.length = 0;
    },
    takeAction: (request: RecordedRequest): Action => {
      const fault = faults.find(
        ({ operation, matches = () => true, left }) =>
          left > 0 && operation === request.operation && matches(request.body),
      );
      if (fault === undefined) return passThrough;
      fault.left -= 1;
      return fault.action;
    },
  };
}

const passThrough: Action = async (exchange) => exchange.respond(await exchange.forward());

async function receive(incoming: IncomingMessage) {
  const payload = (await readBody(incoming)) ?? Buffer.alloc(0);
  const request: RecordedRequest = {
    operation: operationOf(incoming),
    get body(): unknown {
      return payload.length === 0 ? undefined : JSON.parse(payload.toString());
    },
  };
  return { request, payload };
}

/** SESv2 API reference: each operation has a path of its own. */
const sesOperations = [
  { pattern: /^POST \/v2\/email\/outbound-emails$/, name: 'SendEmail' },
  {
    pattern: /^GET \/v2\/email\/suppression\/addresses\/[^/]+$/,
    name: 'GetSuppressedDestination',
  },
  {
    pattern: /^DELETE \/v2\/email\/suppression\/addresses\/[^/]+$/,
    name: 'DeleteSuppressedDestination',
  },
];

function operationOf({ method, url, headers }: IncomingMessage): string {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return target.split('.').at(-1) ?? target;
  const path = `${method} ${url}`;
  return sesOperations.find(({ pattern }) => pattern.test(path))?.name ?? path;
}

function exchangeOf(
  { headers }: IncomingMessage,
  request: RecordedRequest,
  forward: Exchange['forward'],
  response: ServerResponse,
): Exchange {
  return {
    get body(): unknown {
      return request.body;
    },
    invocationId: headers['amz-sdk-invocation-id']?.toString(),
    forward,
    respond: ({ status, headers, body }) => {
      const length = String(Buffer.byteLength(body));
      response.writeHead(status, { ...headers, 'content-length': length }).end(body);
    },
    reset: () => response.socket?.resetAndDestroy(),
  };
}
