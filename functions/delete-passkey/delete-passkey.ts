import type { SignedIn } from '#shared/access/admit-caller';
import { keyShownMs, requireShownKey } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { passkeyPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { changePasskeys } from '#shared/passkeys/change-passkeys';
import { examplePasskey, passkeyIdOf, passkeyWords } from '#shared/passkeys/passkey';
import { accountPartitions } from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /console/passkeys/{id}',
    access: 'session',
    ...passkeyPath,
    answers: { 204: { description: 'It’s removed.' } },
    errors: ['person_required', 'recent_sign_in_required', 'concurrent_change'],
    lambda: {
      stack: 'Console',
      tableActions: ['GetItem', 'PutItem'],
      writesOnlyIn: { PutItem: [accountPartitions] },
      writesAudit: true,
    },
    words: {
      section: 'Console',
      summary: 'Remove a passkey',
      description: `For a person who signed in within the last ${keyShownMs / 60_000} minutes. It signs in nowhere anymore. Sessions that began with it go on.`,
      fields: { id: passkeyWords.id },
      example: { path: { id: examplePasskey.id } },
    },
  },
  deletePasskey,
);

type Removal = {
  readonly caller: Pick<SignedIn, 'apiKey' | 'session' | 'organizationId' | 'actor'>;
  readonly path: { readonly id: string };
};

export async function deletePasskey(
  { caller, path: { id } }: Removal,
  changing: TableAndClock,
): Promise<void> {
  requireShownKey(caller, changing.now());
  await changePasskeys(
    caller,
    (before) => {
      const passkeys = before.filter((one) => passkeyIdOf(one) !== id);
      if (passkeys.length === before.length) throw new ServiceError('passkey_not_found');
      return {
        passkeys,
        change: { action: 'passkey.removed', before: { passkey: id } },
        result: undefined,
      };
    },
    changing,
  );
}
