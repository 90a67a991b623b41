import * as z from 'zod/mini';
import { eachLimit, type LimitName } from '#shared/config/organization-limits';
import { type GivenLimits, limitsInForce } from './limits-in-force.ts';

const limitView = z.object({
  limit: z.nullable(z.int()),
  isDefault: z.boolean(),
});

export const limitsViewSchema = z.object(eachLimit(() => limitView));

export function toLimitsView(
  own: GivenLimits | undefined,
  ofDeployment: GivenLimits,
): Record<LimitName, z.infer<typeof limitView>> {
  const limits = limitsInForce(own, ofDeployment);
  return eachLimit((name) => ({
    limit: limits(name) ?? null,
    isDefault: own?.[name] === undefined,
  }));
}

const { sendsPerSecond: _, ...lasting } = eachLimit(() => z.int());

export const useViewSchema = z.object(lasting);
export type OrganizationUse = z.infer<typeof useViewSchema>;
