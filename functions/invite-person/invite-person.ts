import * as z from 'zod/mini';
import { organizationOf } from '#shared/access/admit-caller';
import type { ApiKey } from '#shared/access/api-key';
import { countPeople, storePerson } from '#shared/access/people-store';
import {
  examplePerson,
  maxPeople,
  newPerson,
  personViewSchema,
  personWords,
  roleField,
  toPersonView,
} from '#shared/access/person';
import { retryAfterDayOf } from '#shared/access/rate-window';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { bareAddress } from '#shared/contacts/address-field';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { countOfDay, putNotice } from '#shared/notices/notice-store';
import { maxInvitationsPerDay, newInvitationNotice } from '#shared/notices/people-notice';
import {
  auditPartitions,
  noticeCountKey,
  noticePartitions,
  organizationPartitions,
} from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';

const declaration = defineEndpoint({
  route: 'POST /api/v1/people',
  access: { key: 'required', scope: 'manage_organization', freshSession: true },
  body: z.strictObject({ email: bareAddress, role: roleField }),
  answers: {
    201: {
      body: personViewSchema,
      description: 'They’re invited.',
      example: examplePerson,
    },
  },
  errors: ['person_exists', 'too_many_people', 'rate_limited'],
  isLimited: true,
  lambda: {
    stack: 'People',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    writesOnlyIn: {
      PutItem: [organizationPartitions, auditPartitions, noticePartitions],
      UpdateItem: [noticePartitions],
    },
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'People',
    summary: 'Invite somebody',
    description: `Mails an invitation within a minute, from the organization’s domain, or the deployment’s address if that isn’t active. They sign in with their address: the console mails them a link each time. An organization has at most ${maxPeople} people.

What each role may do: \`/docs/people\`.`,
    fields: personWords,
    example: { body: { email: 'carol@example.com', role: 'support' } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, service) =>
  toPersonView(await invitePerson(request, service), service.now()),
);

/** One transaction stores the person, the audit entry and the invitation. If the answer is lost, they're invited. */
export async function invitePerson(
  { caller, body: { email, role } }: RequestTo<typeof declaration>,
  { table, now: readClock }: TableAndClock,
): Promise<ApiKey> {
  const { organizationId, actor } = caller;
  const { name } = await organizationOf(table, caller);
  if ((await countPeople(table, organizationId)) >= maxPeople) {
    throw new ServiceError('too_many_people');
  }
  const now = readClock();
  const person = newPerson(caller, { identity: email.identity, role }, now);
  const change = { action: 'person.invited', target: person.id, after: { role } };
  const notice = newInvitationNotice(person, name, now);
  const count = noticeCountKey(organizationId, 'INVITATIONS', notice.day);
  const outcome = await storePerson(table, person, [
    countOfDay(count, maxInvitationsPerDay, notice.expiresAt),
    putAuditEntry(newAuditEntry(organizationId, actor, change, now)),
    putNotice(notice),
  ]);
  if (outcome === 'exists') throw new ServiceError('person_exists');
  if (outcome === 'too_many') throw tooManyInvitations(now);
  return person;
}

const tooManyInvitations = (now: number): ServiceError =>
  new ServiceError(
    'rate_limited',
    `An organization can invite ${maxInvitationsPerDay} people a day. Nobody was invited. Wait until tomorrow (UTC).`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
