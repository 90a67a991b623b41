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
 * Records a visit. A failure is only logged, so that the person still gets where the link leads. HEAD asks where a link
 * leads without following it, so it isn't counted.
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
