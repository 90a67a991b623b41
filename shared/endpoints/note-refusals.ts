import { shapeOf } from '#shared/access/body-shape';
import {
  type AnsweredError,
  kindOf,
  maxKindsOfRequest,
  newRefusal,
  type Refusal,
} from '#shared/access/refusal';
import { noteRefusal } from '#shared/access/refusal-store';
import type { RefusalTally } from '#shared/access/refusal-tally';
import type { RequestContext } from '#shared/access/request-context';
import { proofCodes, statusOf } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import type { HttpRequest } from '#shared/http/http-endpoint';
import type { TableAndClock } from '#shared/table/table-client';

type NewRefusal = Omit<Refusal, 'count'>;
/** As the endpoint's API answers it. */
export type AnsweredAs = (error: ServiceError) => AnsweredError;
type Request = Pick<HttpRequest, 'route' | 'requestId' | 'context'>;

const asProblem: AnsweredAs = ({ code, errors = [] }) => ({
  status: statusOf(code),
  faults: errors,
});

export type RefusalNoting = TableAndClock & {
  /** Of this process. */
  readonly tally: RefusalTally;
  readonly answeredAs?: AnsweredAs | undefined;
};

/**
 * Runs a request, and records it for the organization of its key if it was refused; for a batch, the refused parts by
 * kind. Successful requests and strangers' cost nothing more. A revoked or expired key is recognised by its secret: its
 * organization is looking for the program that still uses it. The service's own faults are in its log instead, and a
 * session that is asked for its key repeats the request.
 */
export async function notingRefusals<Result>(
  noting: RefusalNoting,
  request: Request,
  run: () => Promise<Result>,
): Promise<Result> {
  const { context } = request;
  try {
    const result = await run();
    await note(noting, context.refusedParts ?? [], request);
    return result;
  } catch (error) {
    await note(noting, [error], request);
    throw error;
  }
}

/** Never throws: the answer doesn't depend on it. */
async function note(
  { table, now, tally, answeredAs = asProblem }: RefusalNoting,
  errors: readonly unknown[],
  { route, requestId, context }: Request,
): Promise<void> {
  const { apiKeyId, log } = context;
  if (apiKeyId === undefined) return;
  const at = now();
  const refusals = errors
    .filter((error) => error instanceof ServiceError)
    .filter(({ code }) => statusOf(code) < 500 && !proofCodes.some((one) => one === code))
    .map((error) => newRefusal({ apiKeyId, route, requestId }, error, answeredAs(error), at));
  const kinds = Map.groupBy(refusals, kindOf);
  const noteKind = async ([kind, alike]: readonly [string, readonly NewRefusal[]]) => {
    const count = tally.add(kind, at, alike.length, requestId);
    const [refusal] = alike;
    if (refusal === undefined || count === 0) return;
    try {
      const requestIds = [...tally.requestIds(kind, at)];
      const shape = keptShape(context);
      const outcome = await noteRefusal(table, {
        ...refusal,
        count,
        requestIds,
        ...(shape !== undefined && { shape }),
      });
      if (outcome === 'full') tally.giveUp(kind, at);
    } catch (failure) {
      log.error('refused request not noted', failure);
    }
  };
  await Promise.all([...kinds].slice(0, maxKindsOfRequest).map(noteKind));
}

/** Of a body that can be read. Made only for what is written, as it reads the body again. */
function keptShape({ keepsRefusedShapes, readBodyAgain }: RequestContext): string | undefined {
  if (!keepsRefusedShapes || readBodyAgain === undefined) return undefined;
  try {
    return shapeOf(readBodyAgain());
  } catch {
    return undefined;
  }
}
