/** One press of the send button: its content and idempotency key. */
export type Attempt = { readonly content: string; readonly key: string };

/**
 * Each press gets a new key, so that the same email can be sent again. While the last press is in doubt, its key is
 * kept, so that the email can't arrive twice.
 *
 * @param last the last press, if it's in doubt.
 */
export const nextAttempt = (
  last: Attempt | undefined,
  content: string,
  newKey: () => string,
): Attempt => (last?.content === content ? last : { content, key: newKey() });

/**
 * Whether a failed request may have gone through.
 *
 * @param status of the answer; 0 if none came.
 */
export const isInDoubt = (status: number): boolean => status === 0 || status >= 500;
