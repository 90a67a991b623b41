/**
 * What was made due is in the index a moment later, so one answer of `retry-waiting` may find nothing new while others
 * still wait.
 */
const mostIdle = 5;
const idlePauseMs = 1_000;

export type RetryRounds = {
  readonly retried: number;
  /** Rounds in a row that found nothing new. */
  readonly idle: number;
  readonly isDone: boolean;
  /** Whether others may wait still. */
  readonly hasMore: boolean;
  /** How long to wait before the next round. */
  readonly pauseMs: number;
};

/** For programs that ask `POST /api/v1/webhooks/{id}/retry-waiting` again and again until nothing waits for later. */
export function afterRound(
  before: Pick<RetryRounds, 'retried' | 'idle'> | undefined,
  { retried, hasMore }: { readonly retried: number; readonly hasMore: boolean },
): RetryRounds {
  const idle = retried === 0 ? (before?.idle ?? 0) + 1 : 0;
  return {
    retried: (before?.retried ?? 0) + retried,
    idle,
    isDone: !hasMore || idle >= mostIdle,
    hasMore,
    pauseMs: idle === 0 ? 0 : idlePauseMs,
  };
}
