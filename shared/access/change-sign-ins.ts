import { type Actor, newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import type { ApiKey } from './api-key.ts';
import { getApiKey, replaceSignIns } from './api-key-store.ts';
import { linkMs, type SignIn } from './sign-in.ts';

type SignInChange = {
  readonly after: readonly SignIn[];
  readonly actor: Actor;
  readonly action: 'sign_in_link.created' | `session.${'started' | 'confirmed' | 'ended'}`;
};

export type PlannedSignIns<Result> = {
  readonly change?: SignInChange | undefined;
  readonly result: Result;
};

const maxTries = 5;

/**
 * If another request changed the sign-ins in between, reads and plans again.
 *
 * The audit entry is stored before anyone gets a secret, so the audit has every session and link in use. It can't be
 * one transaction: IAM lets these functions change a single attribute of a key, which AWS documents only for
 * UpdateItem.
 *
 * @param plan admits the caller and says what to change; throws to refuse.
 */
export async function changeSignIns<Result>(
  id: ApiKeyId,
  plan: (apiKey: ApiKey | undefined, now: number) => PlannedSignIns<Result>,
  { table, now }: TableAndClock,
): Promise<Result> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const apiKey = (await getApiKey(table, id))?.apiKey;
    const at = now();
    const { change, result } = plan(apiKey, at);
    if (apiKey === undefined || change === undefined) return result;
    const { after, actor, action } = change;
    if (!(await replaceSignIns(table, apiKey, after))) continue;
    const entry = newAuditEntry(organizationIdOf(id), actor, { action, target: id }, at);
    await appendAuditEntry(table, entry);
    return result;
  }
  throw new ServiceError(
    'concurrent_change',
    'Other requests are signing in with this API key at the same time. Try again.',
  );
}

export const linkNotFound = (): ServiceError =>
  new ServiceError(
    'link_not_found',
    `This sign-in link was already used, is older than ${linkMs / 60_000} minutes, or the person or API key can’t sign in anymore. Ask for a new one at /console, or make one: npm run manage -- console link`,
  );
