import { admittedSession, changeSignIns, presentedSession } from '#shared/access/change-sign-ins';
import { actorOf, openSessionsIn } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import type { TableAndClock } from '#shared/table/table-client';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /console/sessions',
    access: 'session',
    answers: { 204: { description: 'The others are ended.' } },
    errors: ['concurrent_change'],
    admitsInOperation: true,
    lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
    words: {
      section: 'Console',
      summary: 'End all your other sessions',
      description:
        'In this organization. The session that asks stays. Links that were made with the same API key and that nobody has used yet are void. Safe to repeat.',
    },
  },
  ({ credential }, signingIn) => endOtherSessions(credential, signingIn),
);

/** Unused links go too: whoever holds one could come back with it. */
export function endOtherSessions(
  credential: string | undefined,
  signingIn: TableAndClock,
): Promise<void> {
  const presented = presentedSession(credential);
  return changeSignIns(
    presented.id,
    (stored, now) => {
      const { apiKey, session } = admittedSession(stored, presented, now);
      const others = openSessionsIn(apiKey.signIns, now).filter(({ id }) => id !== session.id);
      const hasOthers = apiKey.signIns?.some((one) => one !== session && one.expiresAt > now);
      return {
        change: hasOthers
          ? {
              after: [session],
              actor: actorOf(apiKey, session),
              action: 'session.ended',
              before: { sessions: others.map(({ id }) => id) },
            }
          : undefined,
        result: undefined,
      };
    },
    signingIn,
  );
}
