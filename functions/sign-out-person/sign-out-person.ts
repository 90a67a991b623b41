import type { Manager } from '#shared/access/admit-caller';
import { signedOut } from '#shared/access/api-key';
import { changePersonalKey } from '#shared/access/change-api-key';
import { changesPeople } from '#shared/access/person';
import { openSessionsIn } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { personPath } from '#shared/endpoints/resource-paths';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds } from '#shared/tokens/example-values';
import type { ApiKeyId } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/people/{id}/sessions',
    access: { key: 'required', scope: 'manage_organization' },
    ...personPath,
    answers: { 204: { description: 'They’re signed out.' } },
    errors: ['last_manager_key', 'concurrent_change'],
    lambda: { stack: 'People', ...changesPeople },
    words: {
      section: 'People',
      summary: 'Sign somebody out everywhere',
      description:
        'Ends their sessions in this organization at once, in open tabs too. They can sign in again: remove them to prevent that. Safe to repeat.',
      fields: { id: 'The ID of the person.' },
      example: { path: { id: exampleIds.apiKey } },
    },
  },
  signOutPerson,
);

type SignOut = { readonly caller: Manager; readonly path: { readonly id: ApiKeyId } };

export async function signOutPerson(
  { caller, path }: SignOut,
  changing: TableAndClock,
): Promise<void> {
  await changePersonalKey(
    path.id,
    caller,
    (before, now) => {
      const open = (before.signIns ?? []).filter(({ expiresAt }) => expiresAt > now);
      if (open.length === 0) return undefined;
      const sessions = openSessionsIn(open, now).map(({ id }) => id);
      return {
        after: signedOut(before),
        change: { action: 'person.signed_out', before: { sessions } },
      };
    },
    changing,
  );
}
