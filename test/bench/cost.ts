import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { makeLean } from '#shared/aws/lean-client';
import { measuredCosts } from '#shared/config/ses-prices';
import { openTable } from '#shared/table/table-client';
import type { Webhook } from '#shared/webhooks/webhook';
import type { FunctionName } from '../../functions/endpoints.ts';
import {
  contactStream,
  type TableStreamSettings,
  usageStream,
} from '../../infra/constructs/pipelines/table-stream-settings.ts';
import { createStreamReader } from '../../infra/local/dynamodb/table-stream.ts';
import { createHandlerLoader, resultOf } from '../../infra/local/gateway/functions.ts';
import { listen } from '../../infra/local/server.ts';
import { type Keep, withParts } from './child.ts';
import {
  aws,
  dollarsOf,
  handshakeBytes,
  linesOf,
  money,
  sesLines,
  type Used,
} from './cost-lines.ts';
import { putEndpoint } from './deliveries.ts';
import { startMeteredStack } from './metered-stack.ts';
import type { Report } from './row.ts';
import { openEmail, postSend, putTypicalOrganization, reportEvent, typicalEmail } from './sends.ts';

/**
 * The pace is a million emails in a month. What count-usage writes depends on it, as it writes the counters once a
 * batch of changes: a batching window of one shard has so few emails.
 */
const secondsOfMonth = 30 * 24 * 3_600;
/** A new table on demand has so many partitions, each a shard of the stream. */
const streamShards = 4;
const emailsPerWindow = Math.max(
  1,
  Math.round((1e6 / secondsOfMonth) * (usageStream.batchingWindowSeconds / streamShards)),
);
/** Each tumbling window ends with an invocation more. */
const endsOfWindows =
  usageStream.batchingWindowSeconds / usageStream.tumblingWindowSeconds / emailsPerWindow;

/** A request's line in the API's access log, as `service-http-api.ts` has it written. */
const accessLogLine = JSON.stringify({
  sourceIp: '203.0.113.57',
  requestId: 'ByCpLQrWNxtQlk0=',
  routeKey: 'POST /api/v1/emails/send',
  status: '200',
  responseLatency: '124',
  integrationStatus: '200',
  integrationLatency: '121',
  integrationError: '-',
});
/** The send, and the pixel. */
const httpRequests = 2;
const snsEvents = 2;
/** CloudWatch Logs counts 26 bytes more for each line (its API reference, "PutLogEvents"). */
const bytesPerLine = 26;
/** Headers that API Gateway adds to the twin's (`Apigw-Requestid`, `Date`), and each answer's status line. */
const gatewayBytes = 120;

type Traffic = {
  readonly what: string;
  /** By default as many as have an email in a window, so no counter counts two at once. */
  readonly organizations?: number;
  /** What an endpoint of each organization wants to hear of. */
  readonly eventTypes?: Webhook['eventTypes'];
  readonly toStrangers?: true;
};

const plain: Traffic = { what: 'Besides SES' };
const three = ['email.sent', 'email.delivered', 'email.opened'] as const;
const more: readonly (Traffic & { readonly deliveries?: number })[] = [
  {
    what: 'One webhook an email (`email.delivered`)',
    eventTypes: ['email.delivered'],
    deliveries: 1,
  },
  {
    what: `Three webhooks an email (${three.map((type) => `\`${type}\``).join(', ')})`,
    eventTypes: [...three],
    deliveries: three.length,
  },
  { what: 'Each to an address that the organization has not sent to', toStrangers: true },
  { what: 'All by one organization', organizations: 1 },
];

/** What a million emails cost besides SES, each with its Send, its Delivery and one open. */
export const benchCost = (small: boolean): Promise<Report> =>
  withParts(async (keep) => {
    const bench = await startCostBench(keep);
    const log = tapLog();
    try {
      const measure = (traffic: Traffic) => bench.measure(traffic, log, small ? 1 : 10);
      const base = await measure(plain);
      const others: Used[] = [];
      for (const traffic of more) others.push(await measure(traffic));
      const details = render(base, others, log.series());
      return { rows: [], details: small ? details : withCorrections(details, base, others, log) };
    } finally {
      log.stop();
    }
  });

/** The twin, whose queue, streams and receiver are worked off here, so that each batch is as long as on AWS. */
async function startCostBench(keep: Keep) {
  const invocations: string[] = [];
  const onInvocation = (name: string) => invocations.push(name);
  const { description, meter } = keep(await startMeteredStack({ quiet: false, onInvocation }));
  const { baseUrl, tableName, endpoints } = description;
  const table = openTable(tableName);
  const load = createHandlerLoader();
  const invoke = (name: FunctionName, event: unknown) => {
    onInvocation(name);
    return resultOf(load, name, event);
  };
  const receiver = keep(await startCountingReceiver());
  const queue = keep(openQueue());
  const streams = makeLean(new DynamoDBStreamsClient({ endpoint: endpoints.dynamodb }));
  keep({ stop: async () => streams.destroy() });
  const readerOf = (name: FunctionName, settings: TableStreamSettings) =>
    createStreamReader(streams, {
      tableName,
      settings,
      invoke: (event) => invoke(name, event),
    });
  const readers = [readerOf('count-usage', usageStream), readerOf('index-contacts', contactStream)];

  let sqsRequests = 0;
  const deliver = async () => {
    const messages = await queue.take();
    if (messages.length === 0) return;
    // Sent in one call. On AWS, messages of so little traffic are received one by one.
    sqsRequests += 1 + 2 * messages.length;
    for (const body of messages) {
      await invoke('deliver-webhooks', { Records: [{ messageId: randomUUID(), body }] });
    }
  };
  /** One send with all that follows of it. */
  const runStory = async (apiKey: string, { toStrangers }: Traffic) => {
    const to = toStrangers ? `${randomUUID()}@mail.example.com` : typicalEmail.to;
    const email = { ...typicalEmail, to };
    const sent = await postSend(baseUrl, apiKey, { email, idempotencyKey: randomUUID() });
    await deliver();
    await reportEvent(baseUrl, 'Send', sent);
    await reportEvent(baseUrl, 'Delivery', sent);
    await deliver();
    await openEmail(baseUrl, sent);
    await deliver();
  };
  /** A change is in the stream a moment after it was made: all of a window come in one batch. */
  const readChanges = async () => {
    await sleep(600);
    for (const { readOn } of readers) await readOn();
  };
  const runWindow = async (keys: readonly string[], traffic: Traffic) => {
    for (let email = 0; email < emailsPerWindow; email += 1) {
      await runStory(keys[email % keys.length] ?? '', traffic);
    }
    await readChanges();
  };
  return {
    async measure(traffic: Traffic, log: LogTap, windows: number): Promise<Used> {
      const { organizations = emailsPerWindow, eventTypes } = traffic;
      const keys: string[] = [];
      for (let count = 0; count < organizations; count += 1) {
        const { id, sendKey } = await putTypicalOrganization(table);
        if (eventTypes !== undefined) await putEndpoint(table, id, receiver.url, eventTypes);
        keys.push(sendKey);
      }
      // The first emails make the contacts and the month's counters, and functions load.
      await runWindow(keys, traffic);
      await readChanges();
      meter.clear();
      invocations.length = 0;
      sqsRequests = 0;
      const before = { logged: log.bytes(), posted: receiver.bytes() };
      for (let window = 0; window < windows; window += 1) await runWindow(keys, traffic);

      const perEmail = (count: number) => count / (windows * emailsPerWindow);
      const unitsOf = (kind: 'readUnits' | 'writeUnits') =>
        perEmail(meter.calls.reduce((sum, call) => sum + call[kind], 0));
      const ran = Map.groupBy(invocations, (name) => name);
      const logBytes = perEmail(log.bytes() - before.logged);
      const answered = await answeredBytes(description);
      return {
        writeUnits: unitsOf('writeUnits'),
        readUnits: unitsOf('readUnits'),
        storedBytes: perEmail(meter.storedBytes()),
        httpRequests,
        snsEvents,
        sqsRequests: perEmail(sqsRequests),
        logBytes: logBytes + httpRequests * (accessLogLine.length + bytesPerLine),
        bytesOut: answered + perEmail(receiver.bytes() - before.posted),
        invocations: new Map(
          [...ran]
            .map(([name, all]): [string, number] => [
              name,
              perEmail(all.length) + (name === 'count-usage' ? endsOfWindows : 0),
            ])
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        ),
      };
    },
  };
}

/** What the answers to a send and to its pixel take, each on a connection of its own. */
async function answeredBytes({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
  const answers = await Promise.all([
    fetch(`${baseUrl}/api/v1/emails/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(typicalEmail),
    }),
    // Any token is answered with the pixel.
    fetch(`${baseUrl}/t/o/none`),
  ]);
  let bytes = 0;
  for (const answer of answers) {
    const headers = [...answer.headers].reduce(
      (sum, [name, value]) => sum + name.length + value.length + ': \r\n'.length,
      0,
    );
    const { byteLength } = await answer.arrayBuffer();
    bytes += headers + byteLength + gatewayBytes + handshakeBytes.ofServer;
  }
  return bytes;
}

/** A webhook's receiver that counts what it gets. */
async function startCountingReceiver() {
  let bytes = 0;
  const headBytes = ({ rawHeaders, method = '', url = '' }: IncomingMessage) =>
    [method, url, ...rawHeaders].reduce((sum, text) => sum + text.length + 2, 0);
  const server = createServer(async (request, response) => {
    const { byteLength } = await buffer(request);
    bytes += headBytes(request) + byteLength + handshakeBytes.ofClient;
    response.setHeader('content-type', 'application/json').end('{"received":true}');
  });
  const { url, stop } = await listen(server, 0);
  return {
    url,
    bytes: () => bytes,
    stop: () => {
      server.closeAllConnections();
      return stop();
    },
  };
}

/** The queue of first attempts, which nobody else works off. */
function openQueue() {
  const QueueUrl = process.env['WEBHOOK_QUEUE_URL'];
  const client = new SQSClient({ endpoint: new URL(QueueUrl ?? '').origin });
  const take = async (): Promise<string[]> => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    for (const { ReceiptHandle } of Messages) {
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    return Messages.flatMap(({ Body }) => Body ?? []);
  };
  return { take, stop: async () => client.destroy() };
}

type LogTap = {
  bytes(): number;
  /** The custom metrics that were published, by name and dimensions. */
  series(): ReadonlySet<string>;
  stop(): void;
};

/** Counts what is written to stdout, which is the log on Lambda, and shows none of it. */
function tapLog(): LogTap {
  const { write } = process.stdout;
  const series = new Set<string>();
  let bytes = 0;
  process.stdout.write = (chunk: string | Uint8Array) => {
    bytes += Buffer.byteLength(chunk) + bytesPerLine;
    for (const one of seriesIn(String(chunk))) series.add(one);
    return true;
  };
  return {
    bytes: () => bytes,
    series: () => series,
    stop: () => {
      process.stdout.write = write;
    },
  };
}

const metricLine = z.object({
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

/** The metrics in lines of the log, in CloudWatch's embedded format: each set of dimensions is a series of its own. */
const seriesIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    if (!line.includes('"_aws"')) return [];
    const fields: unknown = JSON.parse(line);
    const values = z.record(z.string(), z.unknown()).parse(fields);
    return metricLine
      .parse(fields)
      ._aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
        Metrics.flatMap(({ Name }) =>
          Dimensions.map((names) =>
            [Name, ...names.map((name) => `${name}=${values[name]}`)].join(),
          ),
        ),
      );
  });

/** By what usage costs (`manage usage cost`), as `shared/config/ses-prices.ts` must have it. */
function costsOf(base: Used, others: readonly Used[], series: ReadonlySet<string>) {
  const deliveries = Math.max(...more.map((one) => one.deliveries ?? 0));
  const withMost = others[more.findIndex((one) => one.deliveries === deliveries)] ?? base;
  const round = (dollars: number) => Math.round(dollars * 100) / 100;
  return {
    millionSends: round(dollarsOf(base)),
    millionDeliveries: round((dollarsOf(withMost) - dollarsOf(base)) / deliveries),
    // Those of an idle month are part of its sum.
    metricsMonth: round((series.size - idleSeries(series)) * aws.metricMonth),
  };
}

const idleSeries = (series: ReadonlySet<string>): number =>
  [...series].filter((one) => one.includes('OldestDueLateness') || one.includes('SesQuotaUsed'))
    .length;

function render(base: Used, others: readonly Used[], series: ReadonlySet<string>): string {
  const { metricsMonth } = costsOf(base, others, series);
  return [
    `A million emails in a month, each with its Send event, its Delivery and one open. AWS's prices in ${aws.region} of ${aws.asOf}, without free tiers; SES's as others quote them.`,
    '',
    '| What | An email | A million emails |',
    '|---|---|---|',
    ...linesOf(base).map(
      ({ what, count, dollars }) => `| ${what} | ${count} | ${money(dollars)} |`,
    ),
    `| **${plain.what}** | | **${money(dollarsOf(base))}** |`,
    ...sesLines(),
    '',
    '| On top of that | An email | A million emails |',
    '|---|---|---|',
    ...more.map(({ what }, place) => addition(what, base, others[place] ?? base)),
    `| Custom metrics of these emails, ${series.size} series | ${money(aws.metricMonth)} each | ${money(metricsMonth)} a month |`,
  ].join('\n');
}

function addition(what: string, base: Used, used: Used): string {
  const ran = ({ invocations }: Used) => [...invocations.values()].reduce((sum, n) => sum + n, 0);
  const count = [
    `${(used.writeUnits - base.writeUnits).toFixed(1)} write, ${(used.readUnits - base.readUnits).toFixed(1)} read units`,
    `${(ran(used) - ran(base)).toFixed(2)} invocations`,
  ].join(', ');
  return `| ${what} | ${count} | ${money(dollarsOf(used) - dollarsOf(base)).replace('$-', '-$')} |`;
}

/** The documents say what a run has measured: whatever differs is named. */
function withCorrections(details: string, base: Used, others: readonly Used[], log: LogTap) {
  const measured = Object.entries(costsOf(base, others, log.series()));
  const stated = new Map(Object.entries(measuredCosts));
  const sheet = readFileSync(new URL('../../infra/README.md', import.meta.url), 'utf8');
  const wrong = [
    ...measured
      .filter(([name, dollars]) => stated.get(name) !== dollars)
      .map(([name, dollars]) => `shared/config/ses-prices.ts: ${name} is ${dollars}.`),
    ...details
      .split('\n')
      .filter((line) => line.startsWith('| ') && !sheet.includes(`${line}\n`))
      .map((line) => `infra/README.md, Cost, lacks: ${line}`),
  ];
  return [details, ...(wrong.length === 0 ? [] : ['', 'Correct these:', '', ...wrong])].join('\n');
}
