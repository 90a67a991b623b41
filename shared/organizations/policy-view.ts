import * as z from 'zod/mini';
import {
  findPolicy,
  isBuiltInPolicy,
  type Organization,
  policyKeysOf,
  policySchema,
} from './organization.ts';

export const policyViewSchema = z.extend(policySchema, {
  key: z.string(),
  builtIn: z.boolean(),
});
export type PolicyView = z.infer<typeof policyViewSchema>;

export function policyViewOf(organization: Organization, key: string): PolicyView | undefined {
  const policy = findPolicy(organization, key);
  return policy && { ...policy, key, builtIn: isBuiltInPolicy(organization, key) };
}

export const policyViewsOf = (organization: Organization): PolicyView[] =>
  policyKeysOf(organization).flatMap((key) => policyViewOf(organization, key) ?? []);
