import { expect, it } from 'vitest';
import { searchOf, searchText } from '../../../../../functions/show-console/app/emails/search.ts';

it.each([
  ['an address', 'ann@example.com', { to: 'ann@example.com' }],
  ['a tag', 'tag:kind:reset', { tag: 'kind:reset' }],
  ['a template', 'template: tpl_a', { template: 'tpl_a' }],
  ['a key', 'key:key_a', { key: 'key_a' }],
  ['anything else', 'reset your', { q: 'reset your' }],
])('searches by %s', (_, text, filter) => {
  expect(searchOf(text)).toMatchObject({ filter });
});

it('opens the email whose id is pasted', () => {
  expect(searchOf('snd_vms4u2aiuj4bp64j')).toEqual({ open: 'snd_vms4u2aiuj4bp64j' });
});

it.each([undefined, 'ann@example.com', 'tag:kind:reset', 'what?'])(
  'forgets what was searched for before, with %s',
  (text) => {
    const search = searchOf(text);
    if ('open' in search) throw new Error('The test expected a filter');

    const query = { to: 'old@example.com', q: 'old', tag: 'old:old', ...search.filter };

    expect(Object.values(query).filter((one) => `${one}`.startsWith('old'))).toEqual([]);
    expect(searchText(query)).toBe(text ?? '');
  },
);
