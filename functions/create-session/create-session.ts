import {
  type ApiKey,
  authenticate,
  isManager,
  mistypedApiKey,
  parseApiKey,
} from '#shared/access/api-key';
import {
  changeSignIns,
  linkNotFound,
  type PlannedSignIns,
  type SigningIn,
} from '#shared/access/change-sign-ins';
import { readCredential } from '#shared/access/credential-text';
import { requireScope } from '#shared/access/scopes';
import {
  actorOf,
  findSignIn,
  newSession,
  type SignIn,
  withoutSignIn,
  withSignIn,
} from '#shared/access/sign-in';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { endpoint } from './endpoint.ts';

type NewSession = { readonly text: string; readonly expiresAt: number };

/**
 * Signs in with a key that may manage its organization, or with a link made with such a key. One write uses up the link
 * and starts the session; if the answer is lost, the unused session expires.
 */
export const createSession = (
  { key, link }: RequestTo<typeof endpoint>['body'],
  signingIn: SigningIn,
): Promise<NewSession> =>
  link === undefined ? createWithKey(key, signingIn) : createWithLink(link, signingIn);

function createWithKey(key: string | undefined, signingIn: SigningIn): Promise<NewSession> {
  const presented = parseApiKey(key);
  if (presented.isSession) throw mistypedApiKey();
  return changeSignIns(
    presented.id,
    (stored, now) => {
      const apiKey = authenticate(presented, stored, now);
      requireScope(apiKey, 'manage_organization');
      return begin(apiKey, 'key', apiKey.signIns, now);
    },
    signingIn,
  );
}

function createWithLink(link: string, signingIn: SigningIn): Promise<NewSession> {
  const presented = readCredential(link);
  if (presented === undefined || presented.kind !== 'link') throw linkNotFound();
  const { id, secretHash } = presented;
  return changeSignIns(
    id,
    (apiKey, now) => {
      const found = findSignIn(apiKey?.signIns, { kind: 'link', secretHash }, now);
      if (apiKey === undefined || found === undefined) throw linkNotFound();
      if (!isManager(apiKey, now)) throw linkNotFound();
      return begin(apiKey, 'link', withoutSignIn(apiKey.signIns, found), now);
    },
    signingIn,
  );
}

function begin(
  apiKey: ApiKey,
  begunWith: 'key' | 'link',
  others: readonly SignIn[] | undefined,
  now: number,
): PlannedSignIns<NewSession> {
  const { text, signIn } = newSession(apiKey, begunWith, now);
  return {
    change: {
      after: withSignIn(others, signIn, now),
      actor: actorOf(apiKey.id, signIn),
      action: 'session.started',
    },
    result: { text, expiresAt: signIn.expiresAt },
  };
}
