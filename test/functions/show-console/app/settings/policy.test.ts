import { expect, it } from 'vitest';
import {
  isInPlaceOfBuiltIn,
  policiesNaming,
  policyText,
} from '../../../../../functions/show-console/app/settings/policy.ts';

const news = { key: 'news', name: 'Newsletter' };

it.each([
  [
    { key: 'transactional', kind: 'transactional', builtIn: true },
    'Nobody gets it whose address bounced, who complained or whom your team blocked.',
  ],
  [
    { key: 'news', kind: 'bulk', categoryKey: 'news', builtIn: false },
    'Nobody gets it whose address bounced, who complained, whom your team blocked, who unsubscribed or who left “Newsletter”. It goes to one recipient, with your footer.',
  ],
  [
    { key: 'old', kind: 'transactional', categoryKey: 'gone', builtIn: false },
    'Nobody gets it whose address bounced, who complained, whom your team blocked or who left “gone”.',
  ],
] as const)('says who gets no email under %j', (policy, expected) => {
  expect(policyText(policy, [news])).toBe(expected);
});

it.each([
  ['bulk', false, true],
  ['bulk', true, false],
  ['offers', false, false],
])(
  'tells whether %s, built in: %s, stands in the place of a built-in one',
  (key, builtIn, expected) => {
    expect(isInPlaceOfBuiltIn({ key, builtIn, kind: 'bulk' })).toBe(expected);
  },
);

it('names the policies that hold a category', () => {
  const policies = [
    { key: 'a', kind: 'bulk', categoryKey: 'news', builtIn: false },
    { key: 'b', kind: 'bulk', builtIn: true },
  ] as const;

  expect(policiesNaming(news, policies)).toEqual(['a']);
  expect(policiesNaming({ key: 'other', name: 'Other' }, policies)).toEqual([]);
});
