import { ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import type { Hit } from './engagement.ts';
import { isMachineHit } from './machine-hit.ts';

/** One fetch of a tracked link or pixel. */
export type Visit = {
  readonly token: string;
  readonly method: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly log: RequestLog;
};

/**
 * Records a visit. A failure is logged and goes no further, so that the person still gets where the link
 * leads. HEAD asks where a link leads without following it, so it is not counted.
 *
 * @param now epoch milliseconds
 */
export async function recordVisit(
  { method, headers, log }: Visit,
  now: number,
  record: (hit: Hit) => Promise<void>,
): Promise<void> {
  if (method === 'HEAD') return;
  try {
    await record({ at: now, isMachine: isMachineHit(headers) });
  } catch (error) {
    log.error('visit not recorded', error);
  }
}

/** For a link whose organization is gone, or has had its links switched off by the operator. */
export const linkWithdrawn = (): ServiceError =>
  new ServiceError(
    'link_withdrawn',
    'The sender of this email is no longer here, or its links have been switched off.',
  );

/** For a program that follows a link of an organization that is paused. A person gets a page that asks. */
export const linkHeld = (destination: string): ServiceError =>
  new ServiceError(
    'link_held',
    `The sender of this email is paused, so this link does not redirect. It leads to ${destination}`,
  );

/** For a token that is forged, altered, of another purpose or signed by a key that is gone. */
export const linkNotFound = (): ServiceError =>
  new ServiceError('link_not_found', 'This link is not valid.');
