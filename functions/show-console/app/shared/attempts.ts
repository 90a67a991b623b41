/**
 * Sends under a key that's kept until it has worked, whatever the service answers until then: a retry may get 409 or
 * 429 while the first attempt is still in doubt. Other content, and what has been sent, gets a new key.
 */
export function createAttempts(newKey = () => `console-${crypto.randomUUID()}`) {
  let last: { readonly content: string; readonly key: string } | undefined;
  return async <Sent>(content: string, send: (key: string) => Promise<Sent>): Promise<Sent> => {
    if (last?.content !== content) last = { content, key: newKey() };
    const sent = await send(last.key);
    last = undefined;
    return sent;
  };
}

/**
 * Whether a failed request may have gone through.
 *
 * @param status of the answer; 0 if none came.
 */
export const isInDoubt = (status: number): boolean => status === 0 || status >= 500;
