import * as z from 'zod/mini';
import type { Manager } from '#shared/access/admit-caller';
import { type ApiKey, withScopesOfRole } from '#shared/access/api-key';
import { changePersonalKey } from '#shared/access/change-api-key';
import {
  changesPeople,
  examplePerson,
  personViewSchema,
  personWords,
  roleField,
  toPersonView,
} from '#shared/access/person';
import type { Role } from '#shared/access/roles';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { personPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds } from '#shared/tokens/example-values';
import type { ApiKeyId } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'PATCH /api/v1/people/{id}',
    access: { key: 'required', scope: 'manage_organization', freshSession: true },
    ...personPath,
    body: z.strictObject({ role: roleField }),
    answers: {
      200: {
        body: personViewSchema,
        description: 'The person as they are now.',
        example: examplePerson,
      },
    },
    errors: ['last_manager_key', 'concurrent_change', 'person_managed_by_issuer'],
    isLimited: true,
    lambda: { stack: 'People', ...changesPeople },
    words: {
      section: 'People',
      summary: 'Change somebody’s role',
      description:
        'Applies from their next request on, in the sessions that they have. The last one who can manage the organization stays an admin. The role of somebody whom your identity provider has made follows from its claims alone.',
      fields: personWords,
      example: { path: { id: exampleIds.apiKey }, body: { role: 'support' } },
    },
  },
  async ({ caller, path, body }, service) =>
    toPersonView(await changeRole({ caller, path, role: body.role }, service), service.now()),
);

type RoleChange = {
  readonly caller: Manager;
  readonly path: { readonly id: ApiKeyId };
  readonly role: Role;
};

/** Applies from their next request on, in the sessions that they have. */
export const changeRole = (
  { caller, path, role }: RoleChange,
  changing: TableAndClock,
): Promise<ApiKey> =>
  changePersonalKey(
    path.id,
    caller,
    (before) => {
      const { entered } = before.person;
      if (before.revokedAt !== undefined || entered !== undefined)
        throw new ServiceError('person_not_found');
      if (before.person.role === role) return undefined;
      if (before.person.subject !== undefined) throw new ServiceError('person_managed_by_issuer');
      return {
        after: withScopesOfRole({ ...before, person: { ...before.person, role } }),
        change: {
          action: 'person.role_changed',
          before: { role: before.person.role },
          after: { role },
        },
      };
    },
    changing,
  );
