import * as z from 'zod/mini';
import { dayMs } from '#shared/timing/day';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { personalKeyIdOf } from '#shared/tokens/resource-id';
import type { Caller } from './admit-caller.ts';
import {
  type ApiKey,
  createApiKey,
  invitationDays,
  invitedUntilOf,
  withScopesOfRole,
} from './api-key.ts';
import { type Role, roles } from './roles.ts';

/** Of an organization. Reading them all costs a page or two. */
export const maxPeople = 100;

export const roleField = z.enum(roles);

export const changesPeople = {
  tableActions: ['GetItem', 'Query', 'UpdateItem', 'ConditionCheckItem'],
  writesAudit: true,
} as const;

/** @param identity `EmailAddress.identity` */
export function newPerson(
  { organizationId }: Pick<Caller, 'organizationId'>,
  { identity, role }: { readonly identity: string; readonly role: Role },
  now: number,
): ApiKey {
  const { apiKey } = createApiKey(organizationId, { name: 'personal', scopes: [], createdAt: now });
  const id = personalKeyIdOf(organizationId, identity);
  return withScopesOfRole({ ...apiKey, id, person: { email: identity, role } });
}

export const personViewSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: z.string(),
  status: z.enum(['invited', 'active']),
  invitedAt: z.int(),
  invitedUntil: z.optional(z.int()),
  lastUsedAt: z.optional(z.int()),
  sessions: z.int(),
  managedBy: z.optional(z.literal('issuer')),
});

export function toPersonView(
  { id, person, createdAt, lastUsedAt, signIns = [] }: ApiKey,
  now: number,
): z.output<typeof personViewSchema> {
  const invitedUntil = invitedUntilOf({ person, createdAt, lastUsedAt });
  const open = signIns.filter(({ kind, expiresAt }) => kind === 'session' && expiresAt > now);
  return {
    id,
    email: person?.email ?? '',
    role: person?.role ?? '',
    status: invitedUntil === undefined ? 'active' : 'invited',
    invitedAt: createdAt,
    ...(invitedUntil !== undefined && { invitedUntil }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    sessions: open.length,
    ...(person?.subject !== undefined && { managedBy: 'issuer' as const }),
  };
}

export const personWords = {
  id: 'The ID of the person. The audit names them by it.',
  email: 'The address that they sign in with, in lower case.',
  role: `One of ${roles.map((role) => `\`${role}\``).join(', ')}.`,
  status: '`invited` until they first sign in, then `active`.',
  invitedAt: 'When they were invited, in epoch milliseconds.',
  invitedUntil:
    'When the invitation ends, in epoch milliseconds. Absent once they have signed in. Remove them to invite them again.',
  lastUsedAt: 'When they last used the console, in epoch milliseconds, up to an hour behind.',
  sessions: 'In how many browsers they’re signed in.',
  managedBy:
    '`issuer` if your identity provider made them and decides their role. Absent if somebody invited them.',
} as const;

export const examplePerson = {
  id: exampleIds.apiKey,
  email: 'carol@example.com',
  role: 'support',
  status: 'invited',
  invitedAt: exampleTime,
  invitedUntil: exampleTime + invitationDays * dayMs,
  sessions: 0,
} as const;
