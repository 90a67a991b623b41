import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { toServiceError } from '#shared/errors/service-error';
import { openRequestLog, type RequestLog } from '#shared/observability/request-log';

// CloudFormation's protocol for custom resources (CloudFormation guide, "Custom resource request objects"). It invokes
// the function, waits up to an hour for an answer at a signed address, and never repeats the request.

const properties = z.record(z.string(), z.unknown());
const requestSchema = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  RequestId: z.string(),
  StackId: z.string(),
  LogicalResourceId: z.string(),
  /** Invented by CloudFormation for a Delete after a Create without an answer. */
  PhysicalResourceId: z.optional(z.string()),
  ResourceType: z.string(),
  ResponseURL: z.url(),
  ResourceProperties: properties,
  OldResourceProperties: z.optional(properties),
});
export type CustomResourceRequest = z.infer<typeof requestSchema>;

export type CustomResourceAnswer = {
  /** If an update answers with another one, CloudFormation deletes the resource with the former. */
  readonly physicalId: string;
  readonly data?: Readonly<Record<string, string>>;
};

type CustomResource = {
  run(request: CustomResourceRequest, log: RequestLog): Promise<CustomResourceAnswer>;
  /** The id to answer a failed request with: see `CustomResourceFunction`. */
  idOf(request: CustomResourceRequest): string;
};

/**
 * Faults are answered, too, or CloudFormation would wait for an hour. If no answer arrives, the invocation fails, and
 * Lambda repeats it.
 */
export const customResource =
  ({ run, idOf }: CustomResource, answer = sendAnswer) =>
  async (event: unknown, context: { readonly awsRequestId: string }): Promise<void> => {
    const request = requestSchema.parse(event);
    const { RequestId, StackId, LogicalResourceId, RequestType, ResourceType } = request;
    const log = openRequestLog({
      requestId: context.awsRequestId,
      change: RequestType,
      resource: `${ResourceType} ${LogicalResourceId}`,
    });
    const known = { RequestId, StackId, LogicalResourceId };
    try {
      const { physicalId: PhysicalResourceId, data: Data = {} } = await run(request, log);
      log.info('custom resource answered');
      await answer(request.ResponseURL, { ...known, Status: 'SUCCESS', PhysicalResourceId, Data });
    } catch (error) {
      if (error instanceof AnswerLost) throw error;
      const refusal = toServiceError(error);
      log.error('custom resource failed', error, { code: refusal.code });
      const Reason =
        refusal.code === 'internal_error'
          ? `Something went wrong. The log of the function has it, by the request id ${context.awsRequestId}.`
          : refusal.message;
      const PhysicalResourceId = idOf(request);
      await answer(request.ResponseURL, { ...known, Status: 'FAILED', PhysicalResourceId, Reason });
    }
  };

/** As far as we know, CloudFormation has no answer. */
class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
}

const maxTries = 4;

/** Puts the answer where CloudFormation waits for it. The address is a secret: anyone who has it may answer. */
async function sendAnswer(url: string, body: object, pauseMs = 1_000): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { ok, status } = await fetch(url, {
        method: 'PUT',
        body: Buffer.from(JSON.stringify(body)),
        signal: AbortSignal.timeout(10_000),
      });
      if (ok) return;
      throw new Error(`Status ${status}`);
    } catch (cause) {
      if (tries === maxTries) throw new AnswerLost('CloudFormation got no answer', { cause });
      await sleep(pauseMs * tries);
    }
  }
}
