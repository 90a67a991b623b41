import * as z from 'zod/mini';
import {
  type CustomResourceAnswer,
  type CustomResourceRequest,
  customResource,
} from '#shared/declarations/custom-resource';
import { openRequestLog, type RequestLog } from '#shared/observability/request-log';
import type { Table } from '#shared/table/table-client';
import type {
  CustomResourceFunction,
  EventFunction,
  QueueFunction,
  StreamFunction,
} from './background-function.ts';
import type { Equipped } from './endpoint.ts';
import { openServiceFor } from './open-function.ts';

// Each serves one form of background function. `defineFunction` has checked that the operation fits its declaration.
// Here `run` is a method, because TypeScript allows methods to take more specific parameters than their type says.

type Context = { readonly awsRequestId: string };
type Handler<Result = unknown> = (event: unknown, context: Context) => Promise<Result>;

type Handle<Result = unknown> = {
  run(event: unknown, service: object, log: RequestLog): Promise<Result>;
};

/** Lambda repeats an event if the function throws. */
export function serveEvent(
  served: Omit<EventFunction, 'trigger'> & Handle,
  table?: Table,
): Handler {
  const service = openServiceFor(served, table);
  return async (event, { awsRequestId: requestId }) =>
    served.run(z.parse(served.event, event), service, openRequestLog({ requestId }));
}

export type ScheduledRun = { readonly scheduledRun: true };

type Run = { run(service: object, log: RequestLog): Promise<unknown> };

export function serveSchedule(served: Equipped & Run, table?: Table): Handler {
  const event: z.ZodMiniType<ScheduledRun> = z.object({ scheduledRun: z.literal(true) });
  return serveEvent(
    {
      ...served,
      event,
      run: (_: unknown, service: object, log: RequestLog) => served.run(service, log),
    },
    table,
  );
}

/** The messages that go back to the queue (Lambda developer guide, "Partial batch responses"). */
export type BatchResponse = {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
};

/** For this long after a message succeeds, failures don't count against the version. */
const trustedMs = 5 * 60_000;

/** Taken from a method, so that it may take more specific parameters as well. */
type Take = { take(message: unknown, log: RequestLog): Promise<unknown> }['take'];

/**
 * The messages of a batch in parallel. Those that throw or don't match the schema go back. If all do, it throws: they
 * come again in the same way, and Lambda counts an error, which rolls back a gradual deployment.
 *
 * A bad message must not do that each time it comes. So it doesn't throw if each of them failed earlier too, perhaps at
 * another version, or if this process has done others well.
 */
export function serveQueue(
  served: QueueFunction & { run(service: object): Take },
  table?: Table,
): Handler<BatchResponse> {
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
  const { message: schema, failure } = served;
  const service = openServiceFor(served, table);
  let trustedUntil = 0;
  return async (event, { awsRequestId: requestId }) => {
    const take = served.run(service);
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
    const now = service.now();
    if (batchItemFailures.length < Records.length) trustedUntil = now + trustedMs;
    const isAnyNew = Records.some(
      ({ attributes: { ApproximateReceiveCount: count = '1' } = {} }) => count === '1',
    );
    // Lambda logs the error, and the original message may quote an item.
    if (isAnyNew && now >= trustedUntil) throw new Error(failure);
    return { batchItemFailures };
  };
}

/** Lambda repeats a batch of the table's stream if the function throws. */
export function serveStream(served: StreamFunction & Handle, table?: Table): Handler {
  const { batch: event, failure } = served;
  const run = async (
    batch: z.output<StreamFunction['batch']>,
    service: object,
    log: RequestLog,
  ) => {
    try {
      return await served.run(batch, service, log);
    } catch (error) {
      log.error(failure, error, { records: batch.Records.length });
      // Lambda logs the error, and the original message may quote an item.
      throw new Error(failure);
    }
  };
  return serveEvent({ ...served, event, run }, table);
}

/** CloudFormation invokes the function directly, and IAM authorizes it. */
export function serveCustomResource(
  served: CustomResourceFunction & Handle<CustomResourceAnswer>,
): Handler<void> {
  const service = openServiceFor(served);
  return customResource({
    idOf: served.idOf,
    run: (request: CustomResourceRequest, log) => served.run(request, service, log),
  });
}
