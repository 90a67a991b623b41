import { ServiceError } from '#shared/errors/service-error';
import type { KeptAnswer } from './identity.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import type { WantingContext } from './settle-identity.ts';

/**
 * At most once in `answerKeptMs` for each domain: SES allows about one such call a second for the whole account, and a
 * page that polls would use them all.
 */
export async function askSes(
  { identity }: WantingContext,
  { now, identities, ses, answerKeptMs }: IdentityUpkeep,
): Promise<KeptAnswer> {
  const { domain } = identity.wanted;
  const kept = identity.seen?.domain === domain ? identity.seen : undefined;
  const at = now();
  if (kept !== undefined && at - kept.at < answerKeptMs) return kept;
  if (!(await identities.beginAsking(identity, at, answerKeptMs))) {
    if (kept !== undefined) return kept;
    throw new ServiceError(
      'provider_throttled',
      'Another request asked SES a moment ago and has no answer yet. Wait for Retry-After, then repeat the request.',
      { retryAfterSeconds: Math.max(1, Math.ceil(answerKeptMs / 1000)) },
    );
  }
  const [found, account] = await Promise.all([ses.get(domain), ses.getAccount()]);
  const answer = { domain, at, ...(found && { found }), account };
  await identities.keepAnswer(identity, answer);
  return answer;
}
