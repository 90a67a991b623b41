import type { Api } from '../api-types.ts';

export type Policy = Api['GET /api/v1/policies']['answer']['data'][number];
export type Category = Api['GET /api/v1/categories']['answer']['data'][number];

export const builtInPolicies = ['transactional', 'bulk'] as const;

/** Who gets no email under a policy, in a sentence. */
export function policyText({ kind, categoryKey }: Policy, categories: readonly Category[]): string {
  const category = categories.find(({ key }) => key === categoryKey)?.name ?? categoryKey;
  const who = [
    'whose address bounced',
    'who complained',
    'whom your team blocked',
    ...(kind === 'bulk' ? ['who unsubscribed'] : []),
    ...(category === undefined ? [] : [`who left “${category}”`]),
  ];
  const nobody = `Nobody gets it ${who.slice(0, -1).join(', ')} or ${who.at(-1)}.`;
  return kind === 'bulk' ? `${nobody} It goes to one recipient, with your footer.` : nobody;
}

/** A built-in policy that stands aside for one of the organization's own. */
export const isInPlaceOfBuiltIn = ({ key, builtIn }: Policy): boolean =>
  !builtIn && builtInPolicies.some((one) => one === key);

/** The policies that keep a category from being deleted. */
export const policiesNaming = (
  category: Category,
  policies: readonly Policy[],
): readonly string[] =>
  policies.filter(({ categoryKey }) => categoryKey === category.key).map(({ key }) => key);
