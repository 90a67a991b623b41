import type { SignedIn } from '#shared/access/admit-caller';
import { type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { type Passkey, requirePasskeyOwner } from './passkey.ts';
import { readAccount, storePasskeys } from './passkey-store.ts';

type PlannedPasskeys<Result> = {
  readonly result: Result;
} & (
  | { readonly passkeys: readonly Passkey[]; readonly change: Omit<Change, 'target'> }
  | { readonly passkeys?: undefined }
);

const maxTries = 3;

/**
 * If another request changes the passkeys in between, plans again from the new state. The audit entry is of the
 * organization that the person is signed in to.
 *
 * @param plan throws to refuse.
 */
export async function changePasskeys<Result>(
  caller: Pick<SignedIn, 'apiKey' | 'session' | 'organizationId' | 'actor'>,
  plan: (before: readonly Passkey[], now: number) => PlannedPasskeys<Result>,
  { table, now }: TableAndClock,
): Promise<Result> {
  const { email } = requirePasskeyOwner(caller);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const at = now();
    const account = await readAccount(table, email, at);
    const planned = plan(account.passkeys, at);
    if (planned.passkeys === undefined) return planned.result;
    const { passkeys, change, result } = planned;
    const target = caller.apiKey.id;
    const entry = newAuditEntry(caller.organizationId, caller.actor, { ...change, target }, at);
    if (await storePasskeys(table, account, passkeys, [putAuditEntry(entry)])) return result;
  }
  throw new ServiceError('concurrent_change');
}
