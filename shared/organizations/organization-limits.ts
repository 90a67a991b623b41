import * as z from 'zod/mini';
import { type LimitName, organizationLimits } from '#shared/config/organization-limits';
import type { ErrorCode } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';

/** As the operator set them, for the deployment or for one organization. Names of later versions may be among them. */
export const givenLimitsSchema = z.record(z.string(), z.int());
export type GivenLimits = z.infer<typeof givenLimitsSchema>;

/** How high one may be set. */
export const limitValue = (name: LimitName) =>
  z.int().check(z.gte(1), z.lte(organizationLimits[name].most));

/** The limits that hold for an organization: its own, else the deployment's, else the service's. */
export type LimitsInForce = (name: LimitName) => number | undefined;

export const limitsInForce =
  (own: GivenLimits | undefined, ofDeployment: GivenLimits): LimitsInForce =>
  (name) =>
    own?.[name] ?? ofDeployment[name] ?? organizationLimits[name].default;

export const dayUseSchema = z.object({ day: z.string(), recipients: z.int() });
/** To how many recipients an organization has sent on a day (`YYYY-MM-DD`, UTC), as was known when it was noted. */
export type DayUse = z.infer<typeof dayUseSchema>;

type CountedThing = 'apiKeys' | 'templates' | 'webhooks' | 'policies' | 'categories' | 'domains';

const countedThings = {
  apiKeys: { code: 'too_many_api_keys', words: 'API keys' },
  templates: { code: 'too_many_templates', words: 'templates' },
  webhooks: { code: 'too_many_webhooks', words: 'webhooks' },
  policies: { code: 'too_many_policies', words: 'policies of its own' },
  categories: { code: 'too_many_categories', words: 'categories' },
  domains: { code: 'too_many_domains', words: 'domains' },
} as const satisfies Readonly<Record<CountedThing, { code: ErrorCode; words: string }>>;

export const tooMany = (name: CountedThing, limit: number): ServiceError =>
  new ServiceError(
    countedThings[name].code,
    `Your organization has reached its limit of ${limit} ${countedThings[name].words}. Delete one you don't need, or ask the operator for more.`,
  );

/**
 * Refuses one more once the limit is reached. Two requests at the same moment may exceed it by one, which does no harm.
 *
 * @throws ServiceError `too_many_…`
 */
export function requireRoom(name: CountedThing, existing: number, limits: LimitsInForce): void {
  const limit = limits(name) ?? Infinity;
  if (existing >= limit) throw tooMany(name, limit);
}
