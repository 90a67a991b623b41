import { type Actor, type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import {
  type ApiKey,
  authenticate,
  endedSession,
  type PresentedKey,
  parseApiKey,
} from './api-key.ts';
import { getApiKey, replaceSignIns } from './api-key-store.ts';
import { readSessionText } from './credential-text.ts';
import {
  actorOf,
  findSignIn,
  linkMs,
  type NewSignIn,
  type Session,
  type SignIn,
  withoutSignIn,
  withSignIn,
} from './sign-in.ts';

type SignInChange = {
  readonly after: readonly SignIn[];
  readonly actor: Actor;
  readonly action: 'sign_in_link.created' | `session.${'started' | 'confirmed' | 'ended'}`;
  /** If they aren't the actor's own session. */
  readonly before?: Change['before'];
};

export type PlannedSignIns<Result> = {
  readonly change?: SignInChange | undefined;
  readonly result: Result;
};

const maxTries = 5;

/**
 * If another request changed the sign-ins in between, reads and plans again.
 *
 * The audit entry is stored before anyone gets a secret, so the audit has every session and link in use. It can't be
 * one transaction: IAM lets these functions change a single attribute of a key, which AWS documents only for
 * UpdateItem.
 *
 * @param plan admits the caller and says what to change; throws to refuse.
 */
export async function changeSignIns<Result>(
  id: ApiKeyId,
  plan: (apiKey: ApiKey | undefined, now: number) => PlannedSignIns<Result>,
  { table, now }: TableAndClock,
): Promise<Result> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const apiKey = (await getApiKey(table, id))?.apiKey;
    const at = now();
    const { change, result } = plan(apiKey, at);
    if (apiKey === undefined || change === undefined) return result;
    const { after, actor, action, before } = change;
    if (!(await replaceSignIns(table, apiKey, after))) continue;
    const audited = { action, target: id, ...(before && { before }) };
    const entry = newAuditEntry(organizationIdOf(id), actor, audited, at);
    await appendAuditEntry(table, entry);
    return result;
  }
  throw new ServiceError(
    'concurrent_change',
    'Other requests are signing in with this API key at the same time. Try again.',
  );
}

/** Of a request that changes sign-ins, and so admits its caller itself. Reads nothing. */
export function presentedSession(credential: string | undefined): PresentedKey {
  if (credential === undefined) throw endedSession();
  const presented = parseApiKey(credential);
  if (!presented.isSession) throw endedSession();
  return presented;
}

/** Admits the caller. */
export function admittedSession(
  stored: ApiKey | undefined,
  presented: PresentedKey,
  now: number,
): { readonly apiKey: ApiKey; readonly session: SignIn } {
  const apiKey = authenticate(presented, stored, now);
  const { secretHash } = presented;
  const session = findSignIn(apiKey.signIns, { kind: 'session', secretHash }, now);
  if (session === undefined) throw endedSession();
  return { apiKey, session };
}

/**
 * Copies of its cookie end too.
 *
 * @returns whether it was open
 */
export const endPresentedSession = (
  { id, secretHash }: Pick<PresentedKey, 'id' | 'secretHash'>,
  signingIn: TableAndClock,
): Promise<boolean> =>
  changeSignIns(
    id,
    (apiKey, now) => {
      const session = findSignIn(apiKey?.signIns, { kind: 'session', secretHash }, now);
      return {
        change: session && {
          after: withoutSignIn(apiKey?.signIns, session),
          actor: actorOf(apiKey ?? { id }, session),
          action: 'session.ended',
        },
        result: session !== undefined,
      };
    },
    signingIn,
  );

/**
 * Ends the browser's old session, if it's of another key than the one that it has now: `sessionStarted` ends those of the
 * same one.
 */
export async function endReplaced(
  replaced: Pick<PresentedKey, 'id' | 'secretHash'> | undefined,
  begun: NewSession,
  signingIn: TableAndClock,
): Promise<void> {
  if (replaced === undefined || replaced.id === readSessionText(begun.text)?.id) return;
  await endPresentedSession(replaced, signingIn);
}

export type NewSession = { readonly text: string; readonly expiresAt: number };

/** @param replaced the browser's old session: if it's of the same key, it ends with its copies. */
export function sessionStarted(
  { id, person, signIns }: ApiKey,
  { text, signIn }: NewSignIn<Session>,
  replaced: Pick<PresentedKey, 'id' | 'secretHash'> | undefined,
  now: number,
): PlannedSignIns<NewSession> {
  const others = replaced?.id === id ? withoutSignIn(signIns, replaced) : signIns;
  return {
    change: {
      after: withSignIn(others, signIn, now),
      actor: actorOf({ id, person }, signIn),
      action: 'session.started',
    },
    result: { text, expiresAt: signIn.expiresAt },
  };
}

export const linkNotFound = (): ServiceError =>
  new ServiceError(
    'link_not_found',
    `This sign-in link was already used, is older than ${linkMs / 60_000} minutes, or the person or API key can’t sign in anymore. Ask for a new one at /console, or make one: npm run manage -- console link`,
  );
