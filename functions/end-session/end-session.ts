import { admittedSession, changeSignIns, presentedSession } from '#shared/access/change-sign-ins';
import { actorOf, openSessionsIn, withoutSignIn } from '#shared/access/sign-in';
import { defineEndpoint, type UnadmittedRequest, WithHeaders } from '#shared/endpoints/endpoint';
import { sessionPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { noSessionCookie } from '#shared/http/session-cookie';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds } from '#shared/tokens/example-values';

const declaration = defineEndpoint({
  route: 'DELETE /console/sessions/{id}',
  access: 'session',
  ...sessionPath,
  answers: { 204: { description: 'It’s ended.', headers: ['Set-Cookie'] } },
  errors: ['concurrent_change'],
  admitsInOperation: true,
  lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
  words: {
    section: 'Console',
    summary: 'End one of your sessions',
    description:
      'Signs out that browser: its next request is refused. Ending the session that asks clears its cookie too.',
    fields: { id: 'The ID of the session.' },
    example: { path: { id: exampleIds.session } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, signingIn) => {
  const { isCurrent } = await endSession(request, signingIn);
  return new WithHeaders(undefined, isCurrent ? { 'Set-Cookie': noSessionCookie() } : {});
});

/** Knows only the sessions of whoever asks. */
export function endSession(
  {
    credential,
    readParts,
  }: Pick<UnadmittedRequest<typeof declaration>, 'credential' | 'readParts'>,
  signingIn: TableAndClock,
): Promise<{ readonly isCurrent: boolean }> {
  const presented = presentedSession(credential);
  return changeSignIns(
    presented.id,
    (stored, now) => {
      const { apiKey, session } = admittedSession(stored, presented, now);
      const { id } = readParts().path;
      const ended = openSessionsIn(apiKey.signIns, now).find((one) => one.id === id);
      if (ended === undefined) throw new ServiceError('session_not_found');
      const isCurrent = ended.id === session.id;
      return {
        change: {
          after: withoutSignIn(apiKey.signIns, ended),
          actor: actorOf(apiKey, session),
          action: 'session.ended',
          ...(!isCurrent && { before: { sessions: [ended.id] } }),
        },
        result: { isCurrent },
      };
    },
    signingIn,
  );
}
