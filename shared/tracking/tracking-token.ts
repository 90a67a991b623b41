import { type FeedbackId, feedbackIdSchema } from '#shared/tokens/resource-id';
import { type Keyring, signToken, verifyToken } from '#shared/tokens/signed-token';

/** A click's token doesn't expire. */
export type Click = { readonly feedbackId: FeedbackId; readonly destination: string };

/** The destination is signed, so it can't be replaced from outside. */
export const signClickToken = (
  keyring: Keyring,
  feedbackId: FeedbackId,
  destination: string,
): string => signToken(keyring, 'click', `${feedbackId} ${destination}`);

export const signOpenToken = (keyring: Keyring, feedbackId: FeedbackId): string =>
  signToken(keyring, 'open', feedbackId);

export function readClickToken(keyring: Keyring, token: string): Click | undefined {
  const payload = verifyToken(keyring, 'click', token);
  const space = payload?.indexOf(' ') ?? -1;
  const feedbackId = feedbackIdSchema.safeParse(payload?.slice(0, space)).data;
  const destination = payload?.slice(space + 1);
  return feedbackId && destination ? { feedbackId, destination } : undefined;
}

/** `undefined` if the token is forged, altered or for another purpose. */
export const readOpenToken = (keyring: Keyring, token: string): FeedbackId | undefined =>
  feedbackIdSchema.safeParse(verifyToken(keyring, 'open', token)).data;
