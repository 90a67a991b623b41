import { describe, expect, it } from 'vitest';
import {
  isSamePolicy,
  policiesNaming,
  policyText,
  replacesBuiltIn,
} from '../../../../../functions/show-console/app/settings/policy.ts';

const news = { key: 'news', name: 'Newsletter' };

it.each([
  [
    { key: 'transactional', kind: 'transactional', builtIn: true },
    'Not sent to addresses that bounced, complained or were blocked by your team.',
  ],
  [
    { key: 'news', kind: 'bulk', categoryKey: 'news', builtIn: false },
    'Not sent to addresses that bounced, complained, were blocked by your team, unsubscribed or left “Newsletter”. One recipient per send, with your footer.',
  ],
  [
    { key: 'old', kind: 'transactional', categoryKey: 'gone', builtIn: false },
    'Not sent to addresses that bounced, complained, were blocked by your team or left “gone”.',
  ],
] as const)('says who is left out under %j', (policy, expected) => {
  expect(policyText(policy, [news])).toBe(expected);
});

it.each([
  ['bulk', false, true],
  ['bulk', true, false],
  ['offers', false, false],
])('says whether %s, built in: %s, replaces a built-in one: %s', (key, builtIn, expected) => {
  expect(replacesBuiltIn({ key, builtIn, kind: 'bulk' })).toBe(expected);
});

describe('isSamePolicy', () => {
  const stored = {
    key: 'news',
    builtIn: false,
    kind: 'bulk',
    categoryKey: 'news',
    tracking: { clicks: false, opens: true },
  } as const;
  const typed = {
    kind: 'bulk',
    categoryKey: 'news',
    tracking: { opens: true, clicks: false },
  } as const;

  it('recognizes what was typed in what is stored, in any order', () => {
    expect(isSamePolicy(stored, typed)).toBe(true);
    expect(isSamePolicy(stored, { ...typed, keepsContent: true })).toBe(true);
  });

  it.each([
    { ...typed, kind: 'transactional' },
    { ...typed, categoryKey: undefined },
    { ...typed, tracking: { opens: true } },
    { ...typed, keepsContent: false },
    { ...typed, builtIn: true },
  ] as const)('tells %j from it', (other) => {
    expect(isSamePolicy(stored, other)).toBe(false);
  });
});

it('names the policies that use a category', () => {
  const policies = [
    { key: 'a', kind: 'bulk', categoryKey: 'news', builtIn: false },
    { key: 'b', kind: 'bulk', builtIn: true },
  ] as const;

  expect(policiesNaming(news, policies)).toEqual(['a']);
  expect(policiesNaming({ key: 'other', name: 'Other' }, policies)).toEqual([]);
});
