import * as z from 'zod/mini';
import { openRequestLog, type RequestLog } from '#shared/observability/request-log';
import type { Opener, Service } from './endpoint.ts';
import type { Lambda } from './lambda.ts';
import { openFunction, openOwnTable, openService } from './open-function.ts';

// Functions without a caller. IAM decides what may invoke them.

type Context = { readonly awsRequestId: string };

/** Serves invocations by an AWS service whose events match the schema. Lambda repeats those that throw. */
export const serveEvent = <
  const L extends Lambda,
  Schema extends z.core.$ZodType,
  Result,
  Opened extends object = never,
>(
  lambda: L,
  schema: Schema,
  open: Opener<L, Opened>,
  run: (
    event: z.output<Schema>,
    capability: Service & NoInfer<Opened>,
    log: RequestLog,
  ) => Promise<Result>,
  table = openOwnTable(),
) => {
  const capability = { ...openService(table), ...openFunction(lambda, open, table) };
  return async (event: unknown, { awsRequestId: requestId }: Context): Promise<Result> =>
    run(z.parse(schema, event), capability, openRequestLog({ requestId }));
};

export type ScheduledRun = { readonly scheduledRun: true };

export const serveSchedule = <const L extends Lambda, Opened extends object = never>(
  lambda: L,
  open: Opener<L, Opened>,
  run: (capability: Service & NoInfer<Opened>, log: RequestLog) => Promise<unknown>,
  table = openOwnTable(),
) => {
  const schema: z.ZodMiniType<ScheduledRun> = z.object({ scheduledRun: z.literal(true) });
  return serveEvent(lambda, schema, open, (_, capability, log) => run(capability, log), table);
};

/** The messages that go back to the queue (Lambda developer guide, "Partial batch responses"). */
export type BatchResponse = {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
};

/** So long after a message was done, others that fail say nothing about the version. */
const trustedMs = 5 * 60_000;

/**
 * Serves a queue, the messages of a batch in parallel. Those that throw or don't match the schema go back. If all do, it
 * throws: they come again in the same way, and Lambda counts an error, which rolls back a gradual deployment.
 *
 * A bad message must not do that each time it comes. So it doesn't throw if each of them failed earlier too, perhaps at
 * another version, or if this process has done others well.
 *
 * @param failure what the log says about them.
 * @param takeBatch makes the function that takes the messages of one batch.
 */
export const serveQueue = <
  const L extends Lambda,
  Schema extends z.core.$ZodType,
  Opened extends object = never,
>(
  lambda: L,
  { message: schema, failure }: { readonly message: Schema; readonly failure: string },
  open: Opener<L, Opened>,
  takeBatch: (
    capability: Service & NoInfer<Opened>,
  ) => (message: z.output<Schema>, log: RequestLog) => Promise<unknown>,
) => {
  // The event of an invocation by SQS (Lambda developer guide, "SQS").
  const eventSchema = z.object({
    Records: z.array(
      z.object({
        messageId: z.string(),
        body: z.string(),
        attributes: z.optional(z.object({ ApproximateReceiveCount: z.optional(z.string()) })),
      }),
    ),
  });
  const table = openOwnTable();
  const capability = { ...openService(table), ...openFunction(lambda, open, table) };
  let trustedUntil = 0;
  return async (event: unknown, { awsRequestId: requestId }: Context): Promise<BatchResponse> => {
    const take = takeBatch(capability);
    const { Records } = eventSchema.parse(event);
    const failures = await Promise.all(
      Records.map(async ({ messageId, body }) => {
        const log = openRequestLog({ requestId });
        try {
          await take(z.parse(schema, JSON.parse(body)), log);
          return [];
        } catch (error) {
          log.error(failure, error, { messageId });
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    const batchItemFailures = failures.flat();
    const now = capability.now();
    if (batchItemFailures.length < Records.length) trustedUntil = now + trustedMs;
    const isAnyNew = Records.some(
      ({ attributes: { ApproximateReceiveCount: count = '1' } = {} }) => count === '1',
    );
    // Lambda logs the error, and the original message may quote an item.
    if (isAnyNew && now >= trustedUntil) throw new Error(failure);
    return { batchItemFailures };
  };
};

/**
 * Serves the table's stream. Lambda repeats a batch that throws.
 *
 * @param failure what the log says in that case.
 */
export const serveStream = <
  const L extends Lambda,
  Schema extends z.ZodMiniType<{ readonly Records: readonly unknown[] }>,
  Result,
  Opened extends object = never,
>(
  lambda: L,
  { event: schema, failure }: { readonly event: Schema; readonly failure: string },
  open: Opener<L, Opened>,
  run: (
    batch: z.output<Schema>,
    capability: Service & NoInfer<Opened>,
    log: RequestLog,
  ) => Promise<Result>,
) =>
  serveEvent(lambda, schema, open, async (batch, capability, log) => {
    try {
      return await run(batch, capability, log);
    } catch (error) {
      log.error(failure, error, { records: batch.Records.length });
      // Lambda logs the error, and the original message may quote an item.
      throw new Error(failure);
    }
  });
