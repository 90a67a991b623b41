/** One press of a button that sends: what it sends, and the idempotency key under which it does. */
export type Attempt = { readonly content: string; readonly key: string };

/**
 * The key of the next press: a new one, so that the same email can be sent again; but where nobody knows what became
 * of the last press, the same one, so that it cannot arrive twice.
 *
 * @param last the last press, if nobody knows what became of it.
 */
export const nextAttempt = (
  last: Attempt | undefined,
  content: string,
  newKey: () => string,
): Attempt => (last?.content === content ? last : { content, key: newKey() });

/**
 * Whether a request may have been carried out although it failed.
 *
 * @param status of the answer; 0 if none came.
 */
export const isInDoubt = (status: number): boolean => status === 0 || status >= 500;
