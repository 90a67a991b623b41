import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import * as z from 'zod/mini';
import { makeLean } from '#shared/aws/lean-client';
import type { FunctionName } from '../../../functions/endpoints.ts';
import {
  contactStream,
  type TableStreamSettings,
  usageStream,
} from '../../constructs/pipelines/table-stream-settings.ts';
import { tableName } from '../environment.ts';
import { type HandlerLoader, resultOf } from '../gateway/functions.ts';
import { startSchedule } from '../schedule.ts';
import { passesFilter } from './stream-filter.ts';

type StreamTriggerOptions = {
  readonly endpoint: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
  readonly everyMs?: number;
};

export const startUsageCounting = (options: StreamTriggerOptions) =>
  startTrigger('count-usage', usageStream, options);

export const startContactListing = (options: StreamTriggerOptions) =>
  startTrigger('index-contacts', contactStream, options);

const startTrigger = (
  name: FunctionName,
  settings: TableStreamSettings,
  { loadHandler, report, ...options }: StreamTriggerOptions,
) =>
  startTableStreamTrigger({
    ...options,
    tableName,
    settings,
    invoke: (event) => resultOf(loadHandler, name, event),
    report: (fault) => report(name, fault),
  });

type TableStreamOptions = {
  readonly endpoint: string;
  readonly tableName: string;
  readonly settings: TableStreamSettings;
  readonly invoke: (event: unknown) => Promise<unknown>;
  readonly report: (fault: unknown) => void;
  readonly everyMs?: number;
};

/**
 * Works as Lambda's event source mapping does: from the oldest record, shard by shard, in order, repeating a batch
 * until the function takes it.
 */
export function startTableStreamTrigger(options: TableStreamOptions): { stop(): Promise<void> } {
  const client = makeLean(new DynamoDBStreamsClient({ endpoint: options.endpoint }));
  const reader = createStreamReader(client, options);
  const { everyMs = 1_000, report } = options;
  const schedule = startSchedule({ everyMs, run: reader.readOn, report });
  return {
    stop: async () => {
      await schedule.stop();
      client.destroy();
    },
  };
}

/** `read`: the shard is closed and was read to its end. */
type Position = { readonly iterator: string } | 'read';

/**
 * A smaller batch means little is left. Asking again at once would make a hundred calls a second for a record or two
 * each.
 */
const leastToReadOn = 100;

/** Reads on from where it was, and invokes the function with what it finds. */
export function createStreamReader(
  client: DynamoDBStreamsClient,
  options: Pick<TableStreamOptions, 'tableName' | 'settings' | 'invoke'>,
) {
  const positions = new Map<string, Position>();
  /** Listed again after a fault, and when a shard ends, because its children follow. */
  let stream: Stream | undefined;

  const readShard = async (streamArn: string, shardId: string) => {
    const position = positions.get(shardId) ?? (await startOf(client, streamArn, shardId));
    if (position === 'read') return;
    positions.set(shardId, position);
    let { iterator } = position;
    for (;;) {
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: options.settings.batchSize }),
      );
      await handOver(shardId, streamArn, Records, options);
      positions.set(shardId, NextShardIterator ? { iterator: NextShardIterator } : 'read');
      if (NextShardIterator === undefined) stream = undefined;
      if (NextShardIterator === undefined || Records.length < leastToReadOn) return;
      iterator = NextShardIterator;
    }
  };

  const readShards = async () => {
    const { streamArn, shards } = stream ?? (await readStream(client, options.tableName));
    if (shards.length > 0) stream = { streamArn, shards };
    for (const { shardId, parent } of shards) {
      // A parent that the stream no longer has was never read, and never will be.
      const comesLater = positions.has(parent) && positions.get(parent) !== 'read';
      if (!comesLater) {
        await readShard(streamArn, shardId).catch((error: unknown) => {
          // Starts the shard over: repeated records aren't counted twice.
          if (error instanceof ExpiredIteratorException) positions.delete(shardId);
          throw error;
        });
      }
    }
  };
  const readOn = () =>
    readShards().catch((error: unknown) => {
      stream = undefined;
      throw error;
    });
  return { readOn };
}

type Stream = {
  readonly streamArn: string;
  readonly shards: readonly { readonly shardId: string; readonly parent: string }[];
};

async function readStream(client: DynamoDBStreamsClient, tableName: string): Promise<Stream> {
  const streamArn = await findStream(client, tableName);
  return { streamArn, shards: await listShards(client, streamArn) };
}

async function findStream(client: DynamoDBStreamsClient, TableName: string): Promise<string> {
  const { Streams = [] } = await client.send(new ListStreamsCommand({ TableName }));
  const streamArn = Streams.at(-1)?.StreamArn;
  if (streamArn === undefined) throw new Error(`The table ${TableName} has no stream`);
  return streamArn;
}

async function listShards(client: DynamoDBStreamsClient, StreamArn: string) {
  const shards: { readonly shardId: string; readonly parent: string }[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const { StreamDescription } = await client.send(
      new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId }),
    );
    for (const { ShardId = '', ParentShardId = '' } of StreamDescription?.Shards ?? []) {
      shards.push({ shardId: ShardId, parent: ParentShardId });
    }
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId !== undefined);
  return shards;
}

async function startOf(
  client: DynamoDBStreamsClient,
  StreamArn: string,
  ShardId: string,
): Promise<Position> {
  const { ShardIterator } = await client.send(
    new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
  );
  return ShardIterator === undefined ? 'read' : { iterator: ShardIterator };
}

const windowResponse = z.object({ state: z.record(z.string(), z.unknown()) });

async function handOver(
  shardId: string,
  eventSourceARN: string,
  records: readonly StreamRecord[],
  { settings, invoke }: Pick<TableStreamOptions, 'settings' | 'invoke'>,
): Promise<void> {
  const passed = records
    .map((record) => toLambdaRecord(record, eventSourceARN))
    .filter((record) => settings.filters.some((pattern) => passesFilter(record, pattern)));
  if (passed.length === 0) return;
  const { tumblingWindowSeconds } = settings;
  if (tumblingWindowSeconds === undefined) {
    await invoke({ Records: passed });
    return;
  }
  const source = { shardId, eventSourceARN };
  const response = await invoke({ Records: passed, ...source, ...windowOf(tumblingWindowSeconds) });
  // Lambda treats an answer without a state as a failure.
  windowResponse.parse(response);
}

function windowOf(seconds: number) {
  const length = seconds * 1_000;
  const start = Math.floor(Date.now() / length) * length;
  return {
    window: { start: new Date(start).toISOString(), end: new Date(start + length).toISOString() },
    state: {},
    isFinalInvokeForWindow: false,
    isWindowTerminatedEarly: false,
  };
}

/** Lambda gives the time in seconds. It gives binary values as base64, but this table has none. */
const toLambdaRecord = ({ dynamodb, ...record }: StreamRecord, eventSourceARN: string) => ({
  ...record,
  dynamodb: {
    ...dynamodb,
    ApproximateCreationDateTime: (dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1_000,
  },
  eventSourceARN,
});
