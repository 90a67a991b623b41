import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ServiceError } from '#shared/errors/service-error';
import { toSeconds } from '#shared/table/expiry';
import { digest, randomBase32 } from '#shared/tokens/base32';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';
import { type Keyring, keyedDigestOf } from '#shared/tokens/signed-token';
import { mailedLinkText } from './credential-text.ts';
import { isEqualHash, linkMs } from './sign-in.ts';

/**
 * A sign-in link that somebody asked to have mailed to an address. It's the same item, written in the same way, for
 * every address: only `send-notices` looks up whose it is, so an answer to whoever asks can't tell. Links don't push out
 * one another: a stranger who asks for some doesn't end the one that its person asked for.
 *
 * | from    | to     | when                                                                  |
 * |---------|--------|-----------------------------------------------------------------------|
 * | (none)  | asked  | somebody asks                                                         |
 * | asked   | made   | its address may sign in: it gets a key and a secret                   |
 * | asked   | (none) | its address may not                                                   |
 * | made    | mailed | its email went out: it leaves the due ones                            |
 * | mailed  | (none) | it starts a session, in the browser that asked; or it expires         |
 */
export const mailedLinkSchema = z.object({
  id: z.string(),
  /** `EmailAddress.identity` */
  email: z.string(),
  /** SHA-256 of the cookie of the browser that asked, hexadecimal. */
  browserHash: z.string(),
  askedAt: z.int(),
  /** Epoch seconds. */
  expiresAt: z.int(),
  made: z.optional(
    z.object({
      /** The personal key that it starts a session of. */
      keyId: apiKeyIdSchema,
      /** SHA-256, hexadecimal. The secret follows from the ID and the deployment's key: the table alone can't tell. */
      secretHash: z.string(),
    }),
  ),
});
export type MailedLink = Readonly<z.infer<typeof mailedLinkSchema>>;
export type MadeLink = MailedLink & { readonly made: NonNullable<MailedLink['made']> };

/** @param identity `EmailAddress.identity` */
export const newMailedLink = (identity: string, browser: string, now: number): MailedLink => ({
  id: randomBase32(32),
  email: identity,
  browserHash: browserHashOf(browser),
  askedAt: now,
  expiresAt: toSeconds(now + linkMs),
});

/** The text is mailed, and never stored. */
export const textOfMailedLink = (keyring: Keyring, { id }: Pick<MailedLink, 'id'>) =>
  mailedLinkText(id, digest(keyedDigestOf(keyring, `sign-in ${id}`), 32));

/** Keeps one who asked for a link from having somebody else open it, and be signed in as them. */
export function requireSameBrowser({ browserHash }: MailedLink, browser: string | undefined): void {
  if (browser === undefined || !isEqualHash(browserHash, browserHashOf(browser))) {
    throw new ServiceError('other_browser');
  }
}

/** Of the cookie that names it (`http/session-cookie.ts`). Hexadecimal. */
export const browserHashOf = (browser: string): string =>
  createHash('sha256').update(browser).digest('hex');
