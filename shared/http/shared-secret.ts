import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { ErrorCode } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';

/** What a caller shows who shares a secret with the deployment, and how it is refused. */
type SharedSecret = { readonly header: string; readonly name: string; readonly code: ErrorCode };

const cron: SharedSecret = {
  header: 'X-Cron-Secret',
  name: 'cron secret',
  code: 'invalid_cron_secret',
};
const operator: SharedSecret = {
  header: 'X-Operator-Secret',
  name: 'operator secret',
  code: 'invalid_operator_secret',
};

/** The headers of every endpoint that is the operator's. `X-Operator-Secret`: that of the deployment. */
export const operatorHeadersSchema = z.object({ 'x-operator-secret': z.optional(z.string()) });

/**
 * Admits the scheduler that presents the cron secret.
 *
 * @throws ServiceError `invalid_cron_secret`
 */
export const requireCronSecret = (presented: string | undefined, configured: string): void =>
  requireSecret(cron, presented, configured);

/**
 * Admits the operator of the deployment, who presents the operator secret.
 *
 * @throws ServiceError `invalid_operator_secret`
 */
export const requireOperatorSecret = (presented: string | undefined, configured: string): void =>
  requireSecret(operator, presented, configured);

/** Compares in constant time. Nothing matches an empty configuration, not even an empty header. */
function requireSecret(
  { header, name, code }: SharedSecret,
  presented: string | undefined,
  configured: string,
): void {
  const isEqual = timingSafeEqual(sha256(presented ?? ''), sha256(configured));
  if (isEqual && configured !== '') return;
  throw new ServiceError(
    code,
    `The header ${header} is missing or does not hold the ${name} of this deployment.`,
  );
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
