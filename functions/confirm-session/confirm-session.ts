import * as z from 'zod/mini';
import { authenticate, mistypedApiKey, parseApiKey } from '#shared/access/api-key';
import { admittedSession, changeSignIns, presentedSession } from '#shared/access/change-sign-ins';
import {
  actorOf,
  confirmedSession,
  confirmedUntil,
  keyShownMs,
  withoutSignIn,
  withSignIn,
} from '#shared/access/sign-in';
import { defineEndpoint, type UnadmittedRequest, WithHeaders } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { sessionCookie } from '#shared/http/session-cookie';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';

const minutes = keyShownMs / 60_000;

const declaration = defineEndpoint({
  route: 'POST /console/session/confirm',
  access: 'session',
  body: z.strictObject({
    key: z.string().check(z.minLength(1), z.maxLength(200)),
  }),
  answers: {
    200: {
      body: z.object({ confirmedUntil: z.int() }),
      description: 'The session is confirmed.',
      headers: ['Set-Cookie'],
      example: { confirmedUntil: exampleTime + keyShownMs },
    },
  },
  errors: ['other_api_key', 'concurrent_change'],
  admitsInOperation: true,
  lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
  words: {
    section: 'Console',
    summary: 'Confirm a session with its API key',
    description: `For ${minutes} minutes the session can create, rotate and widen API keys. A session that began with a key counts as confirmed for its first ${minutes} minutes; one that began with a link made with a key doesn’t. People sign in again instead. The answer sets a new cookie, and the old one stops working.`,
    fields: {
      key: 'The API key the session began with, or that made its link.',
      confirmedUntil: 'Until when the session can do that, in epoch milliseconds.',
    },
    example: { body: { key: exampleIds.apiKeyText } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, signingIn) => {
  const { text, expiresAt, confirmedUntil } = await confirmSession(request, signingIn);
  const cookie = sessionCookie(text, expiresAt, signingIn.now());
  return new WithHeaders({ confirmedUntil }, { 'Set-Cookie': cookie });
});

/**
 * Records that the person in the session has its API key, and gives the session a new secret, which invalidates copies
 * of the old cookie. If the answer is lost, so is the session, and the person signs in again.
 */
export function confirmSession(
  {
    credential,
    readParts,
  }: Pick<UnadmittedRequest<typeof declaration>, 'credential' | 'readParts'>,
  signingIn: TableAndClock,
) {
  const presented = presentedSession(credential);
  const shown = parseApiKey(readParts().body.key);
  if (shown.isSession) throw mistypedApiKey();
  if (shown.id !== presented.id) throw new ServiceError('other_api_key');
  return changeSignIns(
    presented.id,
    (stored, now) => {
      const { apiKey, session } = admittedSession(stored, presented, now);
      authenticate(shown, stored, now);
      const { text, signIn } = confirmedSession(session, apiKey, now);
      return {
        change: {
          after: withSignIn(withoutSignIn(apiKey.signIns, session), signIn, now),
          actor: actorOf(apiKey, signIn),
          action: 'session.confirmed',
        },
        result: { text, expiresAt: signIn.expiresAt, confirmedUntil: confirmedUntil(signIn) },
      };
    },
    signingIn,
  );
}
