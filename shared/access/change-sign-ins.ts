import { type Actor, newAuditEntry } from '#shared/audit/audit-entry';
import { type AuditStore, openAuditStore } from '#shared/audit/audit-store';
import { ServiceError } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import type { ApiKey } from './api-key.ts';
import { openApiKeyStore } from './api-key-store.ts';
import type { Authentication } from './authenticate.ts';
import { linkMs, type SignIn } from './sign-in.ts';

/** What signing in and out uses. */
export type SigningIn = Authentication & {
  readonly audit: Pick<AuditStore, 'append'>;
};

/** A change of the sign-ins of a key, and what the audit says about it. */
type SignInChange = {
  readonly after: readonly SignIn[];
  readonly actor: Actor;
  readonly action: 'sign_in_link.created' | `session.${'started' | 'confirmed' | 'ended'}`;
};

/** What becomes of the sign-ins of a key, if anything, and what the caller wants to know about it. */
export type PlannedSignIns<Result> = {
  readonly change?: SignInChange | undefined;
  readonly result: Result;
};

/** Opens what signing in and out uses. */
export const openSigningIn = (table: Table): SigningIn => ({
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  audit: openAuditStore(table),
});

const maxTries = 5;

/**
 * Changes the sign-ins of a key, and adds an entry to the audit. When others have changed them in between, it reads
 * and plans again.
 *
 * The entry is stored before anybody gets the secret of a session or a link, so each one that can be used is in the
 * audit. IAM lets these functions change one attribute of a key and nothing else, which AWS documents for UpdateItem
 * alone, so the two writes are no transaction.
 *
 * @param plan admits the caller and says what shall be; throws what refuses it.
 * @throws ServiceError `concurrent_change`
 */
export async function changeSignIns<Result>(
  id: ApiKeyId,
  plan: (apiKey: ApiKey | undefined, now: number) => PlannedSignIns<Result>,
  { now, apiKeys, audit }: SigningIn,
): Promise<Result> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const apiKey = (await apiKeys.get(id))?.apiKey;
    const at = now();
    const { change, result } = plan(apiKey, at);
    if (apiKey === undefined || change === undefined) return result;
    const { after, actor, action } = change;
    if (!(await apiKeys.replaceSignIns(apiKey, after))) continue;
    await audit.append(newAuditEntry(organizationIdOf(id), actor, { action, target: id }, at));
    return result;
  }
  throw new ServiceError(
    'concurrent_change',
    'Others sign in with this API key at the same moment. Try again.',
  );
}

export const linkNotFound = (): ServiceError =>
  new ServiceError(
    'link_not_found',
    `This sign-in link was used before, or is older than ${linkMs / 60_000} minutes. Make another one: npm run manage -- console link`,
  );
