import type { Answer } from '../../../api.ts';
import { isSame } from '../shared/changes.ts';

export type Policy = Answer<'GET /api/v1/policies'>['data'][number];
export type Category = Answer<'GET /api/v1/categories'>['data'][number];

export const builtInPolicies = ['transactional', 'bulk'] as const;

/** Who a policy leaves out, in a sentence. */
export function policyText({ kind, categoryKey }: Policy, categories: readonly Category[]): string {
  const category = categories.find(({ key }) => key === categoryKey)?.name ?? categoryKey;
  const who = [
    'bounced',
    'complained',
    'were blocked by your team',
    ...(kind === 'bulk' ? ['unsubscribed'] : []),
    ...(category === undefined ? [] : [`left “${category}”`]),
  ];
  const text = `Not sent to addresses that ${who.slice(0, -1).join(', ')} or ${who.at(-1)}.`;
  return kind === 'bulk' ? `${text} One recipient per send, with your footer.` : text;
}

/** Whether the organization's policy replaces a built-in one. */
export const replacesBuiltIn = ({ key, builtIn }: Policy): boolean =>
  !builtIn && builtInPolicies.some((one) => one === key);

type Content = Pick<Policy, 'kind' | 'tracking' | 'keepsContent'> & {
  readonly categoryKey?: string | undefined;
  readonly builtIn?: boolean;
};

/** What both say, in one order: someone may save again because the answer was lost. */
export const isSamePolicy = (one: Content, other: Content): boolean =>
  isSame(contentOf(one), contentOf(other));

const contentOf = ({
  builtIn = false,
  kind,
  categoryKey,
  tracking,
  keepsContent = true,
}: Content) => [builtIn, kind, categoryKey, tracking?.opens, tracking?.clicks, keepsContent];

/** A category can't be deleted while a policy uses it. */
export const policiesNaming = (
  category: Category,
  policies: readonly Policy[],
): readonly string[] =>
  policies.filter(({ categoryKey }) => categoryKey === category.key).map(({ key }) => key);
