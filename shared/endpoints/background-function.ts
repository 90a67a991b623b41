import type * as z from 'zod/mini';
import type {
  CustomResourceAnswer,
  CustomResourceRequest,
} from '#shared/declarations/custom-resource';
import type { HttpRequest, RenderError } from '#shared/http/http-endpoint';
import type { HttpResponse } from '#shared/http/http-response';
import type { RequestLog } from '#shared/observability/request-log';
import type { CheckedLambda, Equipped, ServiceOf } from './endpoint.ts';
import type { Lambda, Only } from './lambda.ts';

/** A batch of messages, each taken separately. Those that fail go back to the queue. */
export type QueueFunction = Equipped & {
  readonly trigger: 'webhook-queue' | 'test-events' | 'send-queue';
  readonly message: z.ZodMiniType;
  /** What the log says of a message that failed. */
  readonly failure: string;
};

/** A batch from the table's stream. If it fails, Lambda delivers it again. */
export type StreamFunction = Equipped & {
  readonly trigger: 'table-stream';
  readonly batch: z.ZodMiniType<{ readonly Records: readonly unknown[] }>;
  /** What the log says of a batch that failed. */
  readonly failure: string;
};

/** An event from another AWS service. If it fails, Lambda delivers it again. */
export type EventFunction = Equipped & {
  readonly trigger: 'provider-events' | 'event-rule' | 'alarm-topic';
  readonly event: z.ZodMiniType;
};

/** How often it runs: `infra/constructs/pipelines`. */
export type ScheduledFunction = Equipped & { readonly trigger: 'schedule' };

/** Creates, changes and deletes what an app's stack declares. */
export type CustomResourceFunction = Equipped & {
  readonly trigger: 'custom-resource';
  /** The physical id in the answer to a failed request. CloudFormation may then delete the resource with that id. */
  idOf(request: CustomResourceRequest): string;
};

/**
 * HTTP API's `$default`: requests that match no route. As with an endpoint, its file takes the place of the service.
 */
export type UnmatchedFunction = Equipped & {
  readonly trigger: 'http-api';
  readonly lambda: Pick<Required<Lambda>, 'builtFile'>;
  readonly file: z.ZodMiniType;
  readonly renderError: RenderError;
};

/** A function without a route and a caller: IAM decides what may invoke it. */
export type BackgroundFunction =
  | QueueFunction
  | StreamFunction
  | EventFunction
  | ScheduledFunction
  | CustomResourceFunction
  | UnmatchedFunction;
export type Trigger = BackgroundFunction['trigger'];

type Run<F> = F extends { readonly message: infer Message extends z.ZodMiniType }
  ? (service: ServiceOf<F>) => (message: z.output<Message>, log: RequestLog) => Promise<unknown>
  : F extends { readonly batch: infer Event extends z.ZodMiniType }
    ? Handle<z.output<Event>, F>
    : F extends { readonly event: infer Event extends z.ZodMiniType }
      ? Handle<z.output<Event>, F>
      : F extends CustomResourceFunction
        ? Handle<CustomResourceRequest, F, CustomResourceAnswer>
        : F extends UnmatchedFunction
          ? (request: HttpRequest, file: ServiceOf<F>) => Promise<HttpResponse>
          : (service: ServiceOf<F>, log: RequestLog) => Promise<unknown>;

type Handle<Event, F, Result = unknown> = (
  event: Event,
  service: ServiceOf<F>,
  log: RequestLog,
) => Promise<Result>;

type Fields<F> = F extends unknown ? keyof F : never;

/**
 * A background function is one value, as an endpoint is: everything about it, and what it does. It has a form of its
 * own, because it has no caller, no answer and no page in the reference. Its trigger chooses the server
 * (`serve-background.ts`), and `infra/constructs/lambda-entry.ts` writes the Lambda's entry.
 *
 * @param run does the work. A queue's is called once per batch, and returns the function that takes each message.
 */
export function defineFunction<const F extends BackgroundFunction>(
  declaration: F & Only<F, Record<Fields<BackgroundFunction>, unknown>> & CheckedLambda<F>,
  run: Run<NoInfer<F>>,
): F & { readonly run: Run<F> };
/* @__NO_SIDE_EFFECTS__ */
export function defineFunction(declaration: BackgroundFunction, run: unknown) {
  return { ...declaration, run };
}
