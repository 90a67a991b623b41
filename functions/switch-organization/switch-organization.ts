import * as z from 'zod/mini';
import { endedSession, maySwitchTo } from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';
import {
  admittedSession,
  changeSignIns,
  endPresentedSession,
  type NewSession,
  presentedSession,
  sessionStarted,
} from '#shared/access/change-sign-ins';
import { type SignIn, switchedSession } from '#shared/access/sign-in';
import { defineEndpoint, type UnadmittedRequest, WithHeaders } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { sessionCookie } from '#shared/http/session-cookie';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds } from '#shared/tokens/example-values';
import { type ApiKeyId, organizationIdSchema, personalKeyIdOf } from '#shared/tokens/resource-id';

const declaration = defineEndpoint({
  route: 'POST /console/session/switch',
  access: 'session',
  body: z.strictObject({ organizationId: organizationIdSchema }),
  answers: {
    204: {
      description: 'You are signed in there. The cookie holds the session.',
      headers: ['Set-Cookie'],
    },
  },
  errors: ['organization_not_found', 'concurrent_change'],
  admitsInOperation: true,
  lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
  words: {
    section: 'Console',
    summary: 'Switch to another of your organizations',
    description:
      'Goes on in another organization that has invited the address of the person who is signed in, with their role there. The answer sets a new cookie for all tabs, and the old one stops working. The session ends no later for it, and a recent sign-in counts there too.',
    fields: { organizationId: 'One of `GET /console/organizations`.' },
    example: { body: { organizationId: exampleIds.organization } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, signingIn) => {
  const begun = await switchOrganization(request, signingIn);
  if (begun === undefined) return new WithHeaders(undefined, {});
  const cookie = sessionCookie(begun.text, begun.expiresAt, signingIn.now());
  return new WithHeaders(undefined, { 'Set-Cookie': cookie });
});

/**
 * The new session is stored before the old one ends, so a crash in between costs nobody their session: the new one stays
 * unused. Neither organization's audit names the other, which mustn't learn of it.
 *
 * @returns `undefined` if the session is of that organization already
 */
export async function switchOrganization(
  {
    credential,
    readParts,
  }: Pick<UnadmittedRequest<typeof declaration>, 'credential' | 'readParts'>,
  signingIn: TableAndClock,
): Promise<NewSession | undefined> {
  const presented = presentedSession(credential);
  const stored = (await getApiKey(signingIn.table, presented.id))?.apiKey;
  const { apiKey, session } = admittedSession(stored, presented, signingIn.now());
  const { organizationId } = readParts().body;
  // Who has entered an organization leaves it first.
  if (apiKey.person === undefined || apiKey.person.entered !== undefined) throw notTheirs();
  const there = personalKeyIdOf(organizationId, apiKey.person.email);
  if (there === apiKey.id) return undefined;

  const begun = await begin(there, session, signingIn);
  if (await endPresentedSession(presented, signingIn)) return begun;
  // It ended in between: signed out, removed, or switched by another request.
  await endPresentedSession(presentedSession(begun.text), signingIn);
  throw endedSession();
}

const begin = (there: ApiKeyId, session: SignIn, signingIn: TableAndClock): Promise<NewSession> =>
  changeSignIns(
    there,
    (apiKey, now) => {
      if (apiKey === undefined || !maySwitchTo(apiKey, session, now)) throw notTheirs();
      return sessionStarted(apiKey, switchedSession(session, apiKey), undefined, now);
    },
    signingIn,
  );

/** The same for any organization, so nobody learns which ones there are. */
const notTheirs = (): ServiceError =>
  new ServiceError(
    'organization_not_found',
    'You can’t sign in to this organization. GET /console/organizations lists those where you can.',
  );
