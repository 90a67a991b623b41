import type { Manager } from '#shared/access/admit-caller';
import { changePersonalKey, plannedRemoval } from '#shared/access/change-api-key';
import { changesPeople } from '#shared/access/person';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { personPath } from '#shared/endpoints/resource-paths';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds } from '#shared/tokens/example-values';
import type { ApiKeyId } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/people/{id}',
    access: { key: 'required', scope: 'manage_organization' },
    ...personPath,
    answers: { 204: { description: 'They’re removed.' } },
    errors: ['last_manager_key', 'concurrent_change'],
    lambda: { stack: 'People', ...changesPeople },
    words: {
      section: 'People',
      summary: 'Remove somebody',
      description:
        'Safe to repeat. Their sessions end at once, in open tabs too. The audit goes on naming them. API keys that they created stay: those are programs’. The last one who can manage the organization can’t be removed. Somebody whom your identity provider has made comes back at their next sign-in if its claims still name them.',
      fields: { id: 'The ID of the person.' },
      example: { path: { id: exampleIds.apiKey } },
    },
  },
  removePerson,
);

type Removal = { readonly caller: Manager; readonly path: { readonly id: ApiKeyId } };

/** Safe to repeat. */
export async function removePerson(
  { caller, path }: Removal,
  changing: TableAndClock,
): Promise<void> {
  await changePersonalKey(path.id, caller, plannedRemoval, changing);
}
