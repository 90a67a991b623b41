import * as z from 'zod/mini';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';
import { type Keyring, signToken, verifyToken } from '#shared/tokens/signed-token';

/** How long somebody may take at the issuer. */
export const signInMs = 10 * 60_000;

/**
 * What a browser that was sent to the issuer keeps in a cookie: only the browser that asked can use the issuer's
 * answer. Signed, since other sites of the same domain could set a cookie.
 */
export const signInStateSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** A path of the console. */
  to: z.string(),
  expiresAt: z.int(),
  /** The person was to prove again who they are. */
  isFresh: z.optional(z.literal(true)),
  /** The session that the browser has, which the new one replaces. */
  replaced: z.optional(z.object({ id: apiKeyIdSchema, secretHash: z.string() })),
});
export type SignInState = Readonly<z.infer<typeof signInStateSchema>>;

export const sealState = (keyring: Keyring, state: SignInState): string =>
  signToken(keyring, 'oidc', JSON.stringify(state));

/** `undefined` unless this service made it in the last ten minutes. */
export function openState(
  keyring: Keyring,
  sealed: string | undefined,
  now: number,
): SignInState | undefined {
  const payload = sealed === undefined ? undefined : verifyToken(keyring, 'oidc', sealed);
  if (payload === undefined) return undefined;
  const state = signInStateSchema.parse(JSON.parse(payload));
  return state.expiresAt > now ? state : undefined;
}

/** Anyone can make a link to the sign-in, so it leads to pages of the console only. */
export function consolePathOf(asked = ''): string {
  const base = 'https://console.invalid';
  if (asked.length > 500 || asked.includes('\\') || !URL.canParse(asked, base)) return start;
  const { origin, pathname, search } = new URL(asked, base);
  const isPage = /^\/console(?:$|\/)(?!oidc\/)/.test(pathname) && !pathname.includes('//');
  return origin === base && isPage ? pathname + search : start;
}

const start = '/console';
