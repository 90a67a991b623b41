import { ServiceError } from '#shared/errors/service-error';
import type { KeptAnswer } from './identity.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import type { WantingContext } from './settle-identity.ts';

/**
 * What SES says of the wanted domain and of the account, asked at most once in `answerKeptMs` for each organization: SES
 * takes about one such call a second of the whole account, and a page that asks all the time would take those of the
 * others.
 *
 * @throws ServiceError `provider_throttled`, `provider_unreachable`
 */
export async function askSes(
  { identity }: WantingContext,
  { now, identities, ses, answerKeptMs }: IdentityUpkeep,
): Promise<KeptAnswer> {
  const { domain } = identity.wanted;
  const kept = identity.seen?.domain === domain ? identity.seen : undefined;
  const at = now();
  if (kept !== undefined && at - kept.at < answerKeptMs) return kept;
  if (!(await identities.beginAsking(identity.organizationId, at, answerKeptMs))) {
    if (kept !== undefined) return kept;
    throw new ServiceError(
      'provider_throttled',
      'SES was asked a moment ago, and its answer is not known yet. Repeat the request.',
      { retryAfterSeconds: Math.max(1, Math.ceil(answerKeptMs / 1000)) },
    );
  }
  const [found, account] = await Promise.all([ses.get(domain), ses.getAccount()]);
  const answer = { domain, at, ...(found && { found }), account };
  await identities.keepAnswer(identity, answer);
  return answer;
}
