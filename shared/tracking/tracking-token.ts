import { type FeedbackId, feedbackIdSchema } from '#shared/tokens/resource-id';
import { type Keyring, signToken, verifyToken } from '#shared/tokens/signed-token';

/** A tracked link: the send it stands in, and where it leads. Its token does not expire. */
export type Click = { readonly feedbackId: FeedbackId; readonly destination: string };

/** Signs a link. The destination is in the token, so that none can be put in from outside. */
export const signClickToken = (
  keyring: Keyring,
  feedbackId: FeedbackId,
  destination: string,
): string => signToken(keyring, 'click', `${feedbackId} ${destination}`);

/** Signs an open pixel. */
export const signOpenToken = (keyring: Keyring, feedbackId: FeedbackId): string =>
  signToken(keyring, 'open', feedbackId);

/** Reads a link's token; `undefined` when it is forged, altered or of another purpose. */
export function readClickToken(keyring: Keyring, token: string): Click | undefined {
  const payload = verifyToken(keyring, 'click', token);
  const space = payload?.indexOf(' ') ?? -1;
  const feedbackId = feedbackIdSchema.safeParse(payload?.slice(0, space)).data;
  const destination = payload?.slice(space + 1);
  return feedbackId && destination ? { feedbackId, destination } : undefined;
}

/** Reads a pixel's token; `undefined` when it is forged, altered or of another purpose. */
export const readOpenToken = (keyring: Keyring, token: string): FeedbackId | undefined =>
  feedbackIdSchema.safeParse(verifyToken(keyring, 'open', token)).data;
