import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exampleIds } from '#shared/tokens/example-values';
import type { Send } from '../../../../../functions/show-console/app/emails/outcomes.ts';
import {
  isPartOfId,
  markedParts,
  namedBy,
  namesIn,
  searchOf,
  searchText,
} from '../../../../../functions/show-console/app/emails/search.ts';
import { buildListedSend } from './email-builders.ts';

const names = {
  templates: new Map([['tpl_a', 'password-reset']]),
  keys: new Map([['key_a', 'Shop (live)']]),
};

it.each([
  ['an address', 'ann@example.com', { to: 'ann@example.com' }],
  ['part of an address', 'ann@', { search: 'ann@' }],
  ['a domain', '@example.com', { search: '@example.com' }],
  ['a tag', 'tag:kind:reset', { tag: 'kind:reset' }],
  ['a template', 'template: tpl_a', { template: 'tpl_a' }],
  ['a template’s name', 'template:Password-Reset', { template: 'tpl_a' }],
  ['a key', 'key:key_b', { key: 'key_b' }],
  ['a key’s name', 'key:shop (live)', { key: 'key_a' }],
  ['what is no tag', 'tag:kind', { search: 'tag:kind' }],
  ['what is no template', 'template:welcome', { search: 'template:welcome' }],
  ['a feedback id', 'fbk_a', { search: 'fbk_a' }],
  [
    'a Message-ID of SES',
    '<0100-1@email.amazonses.com>',
    { search: '<0100-1@email.amazonses.com>' },
  ],
  [
    'one from elsewhere',
    '0100-1@eu-west-1.amazonses.com',
    { search: '0100-1@eu-west-1.amazonses.com' },
  ],
  [
    'the mailbox simulator',
    'bounce@simulator.amazonses.com',
    { to: 'bounce@simulator.amazonses.com' },
  ],
  ['anything else', 'reset your', { search: 'reset your' }],
])('searches by %s', (_, text, filter) => {
  const none = { search: undefined, to: undefined, tag: undefined };
  expect(searchOf(text, names)).toEqual({ filter: { ...none, ...filter } });
});

it('opens the email whose id is pasted', () => {
  expect(searchOf(exampleIds.send, names)).toEqual({ open: exampleIds.send });
  expect(isPartOfId(exampleIds.send)).toBe(false);
});

it.each([exampleIds.send, exampleIds.feedback])(
  'searches by a part of %s, which finds none',
  (id) => {
    const part = id.slice(0, -1);

    expect(searchOf(part, names)).toMatchObject({ filter: { search: part } });
    expect(isPartOfId(part)).toBe(true);
  },
);

it.each([undefined, 'ann@example.com', 'snd_ is part of a subject'])(
  'doesn’t take %s for part of an ID',
  (text) => {
    expect(isPartOfId(text)).toBe(false);
  },
);

it.each([undefined, 'ann@example.com', 'tag:kind:reset', 'what?'])(
  'forgets what was searched for before, with %s',
  (text) => {
    const search = searchOf(text, names);
    if ('open' in search) throw new Error('The test expected a filter');

    const query = { to: 'old@example.com', search: 'old', tag: 'old:old', ...search.filter };

    expect(Object.values(query).filter((one) => `${one}`.startsWith('old'))).toEqual([]);
    expect(searchText(query)).toBe(text ?? '');
  },
);

const send: Send = buildListedSend({ subject: 'Welcome, Zoë', idempotencyKey: 'welcome-1' });

it.each([
  ['an id that its row doesn’t show', 'fbk_a', [send], send],
  ['its idempotency key', 'welcome-1', [send], send],
  ['part of its subject, in any case', 'WELCOME', [send], undefined],
  ['part of its address', 'ann', [send], undefined],
  ['words of its address and its subject', 'ann welc', [send], undefined],
  ['one of several', 'fbk_a', [send, send], undefined],
  ['nothing', 'fbk_a', [], undefined],
  ['no search', undefined, [send], undefined],
])('finds the email that a search names: %s', (_, text, found, named) => {
  expect(namedBy(text, found)).toBe(named);
});

it.each([
  ['key: shop', 'key'],
  ['template:reset', 'template'],
  ['tag:kind:reset', undefined],
  ['a key: shop', undefined],
  [undefined, undefined],
])('knows that %s names a %s', (text, kind) => {
  expect(namesIn(text)).toBe(kind);
});

it('marks the words that were searched for, whatever their case', () => {
  const marked = markedParts('Your receipt #1037 (paid)', 'RECEIPT #10 (p')
    .filter(({ isMarked }) => isMarked)
    .map(({ text }) => text);

  expect(marked).toEqual(['receipt', '#10', '(p']);
});

it('leaves a text as it is, whatever is searched for', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), fc.string({ maxLength: 20 }), (text, search) => {
      const parts = markedParts(text, search);

      expect(parts.map((part) => part.text).join('')).toBe(text);
    }),
  );
});
