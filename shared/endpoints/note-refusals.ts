import type { Authentication, OnKey } from '#shared/access/authenticate';
import { kindOf, newRefusal } from '#shared/access/refusal';
import { openRefusalTally } from '#shared/access/refusal-tally';
import { statusOf } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import type { HttpRequest } from '#shared/http/http-endpoint';
import type { ApiKeyId } from '#shared/tokens/resource-id';

type Noting = Partial<Pick<Authentication, 'now'>> & {
  readonly apiKeys?: Pick<Authentication['apiKeys'], 'noteRefusal'>;
};
type Request = Pick<HttpRequest, 'route' | 'requestId' | 'log'>;

/**
 * Notes requests that are refused, for the organization of their key to see. A request that succeeds costs nothing
 * more, a stranger's neither. A key that is revoked or expired is known by its secret: the program that still uses it is
 * what its organization looks for. Faults of the service are in its log instead.
 *
 * @returns what runs a request. It tells `run` to whom to name the key.
 */
export function openRefusalNotes({ apiKeys, now }: Noting) {
  const tally = openRefusalTally();

  /** Never throws: whatever becomes of the note, the answer is the same. */
  async function note(apiKeyId: ApiKeyId, error: unknown, request: Request): Promise<void> {
    const isRefusal = error instanceof ServiceError && statusOf(error.code) < 500;
    if (!isRefusal || apiKeys === undefined || now === undefined) return;
    const { route, requestId, log } = request;
    const at = now();
    const refusal = newRefusal({ apiKeyId, route, requestId }, error, at);
    const kind = kindOf(refusal);
    const count = tally.add(kind, at);
    if (count === 0) return;
    try {
      const outcome = await apiKeys.noteRefusal({ ...refusal, count });
      if (outcome === 'full') tally.giveUp(kind, at);
    } catch (failure) {
      log.error('refused request not noted', failure);
    }
  }

  return async <Result>(
    request: Request,
    run: (onKey: OnKey) => Promise<Result>,
  ): Promise<Result> => {
    let known: ApiKeyId | undefined;
    try {
      return await run((id) => {
        known = id;
      });
    } catch (error) {
      if (known !== undefined) await note(known, error, request);
      throw error;
    }
  };
}
