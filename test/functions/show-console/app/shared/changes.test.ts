import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changedNames,
  changeOf,
  isSame,
  listChangeOf,
  requiredChangeOf,
  seenAfter,
  switchChangeOf,
  undoneBy,
} from '../../../../../functions/show-console/app/shared/changes.ts';

describe('changeOf', () => {
  it.each([
    ['nothing of a field that was empty and stayed so', undefined, undefined, undefined],
    ['nothing of a text as it was', 'Example', 'Example', undefined],
    ['nothing of a text whose lines a browser ends otherwise', 'One\nTwo', 'One\r\nTwo', undefined],
    ['nothing of the space around a text, which a form takes off', ' One\n', 'One', undefined],
    ['a text that differs', 'Example', 'Example Ltd', 'Example Ltd'],
    ['a text where there was none', undefined, 'Example', 'Example'],
    ['null for a field that was emptied', 'Example', undefined, null],
    ['nothing of a number as it was', 30, 30, undefined],
    ['a number that differs', 30, 60, 60],
  ])('sends %s', (_, before, typed, expected) => {
    expect(changeOf<string | number>(before, typed)).toBe(expected);
  });

  it('sends an empty required setting, for the service to refuse', () => {
    expect(requiredChangeOf('Example', undefined)).toBe('');
    expect(requiredChangeOf('Example', 'Example')).toBeUndefined();
    expect(requiredChangeOf('Example', 'Other')).toBe('Other');
  });
});

describe('listChangeOf', () => {
  it.each([
    ['nothing of the same values in another order', ['a', 'b'], ['b', 'a'], undefined],
    ['nothing of a list that was empty and stayed so', [], [], undefined],
    ['a list with another value', ['a'], ['b'], ['b']],
    ['a list with one value more', ['a'], ['a', 'b'], ['a', 'b']],
    ['a list with one value less', ['a', 'b'], ['a'], ['a']],
    ['an empty list', ['a'], [], []],
  ])('sends %s', (_, before, typed, expected) => {
    expect(listChangeOf(before, typed)).toEqual(expected);
  });
});

it('sends a switch only if it was turned', () => {
  expect([switchChangeOf(true, 'on'), switchChangeOf(false, 'off')]).toEqual([
    undefined,
    undefined,
  ]);
  expect([switchChangeOf(true, 'off'), switchChangeOf(false, 'on')]).toEqual([false, true]);
});

it('takes objects with the same fields for the same', () => {
  expect(isSame({ kind: 'bulk' }, { kind: 'bulk', categoryKey: undefined })).toBe(true);
  expect(isSame({ kind: 'bulk' }, { kind: 'bulk', categoryKey: 'offers' })).toBe(false);
});

describe('undoneBy', () => {
  const seen = { name: 'A', footerText: 'old', updatedAt: 1 };

  it.each([
    [
      'what both changed',
      { footerText: 'mine' },
      { ...seen, footerText: 'theirs' },
      ['footerText'],
    ],
    ['what they took away', { footerText: 'mine' }, { name: 'A' }, ['footerText']],
    [
      'what one takes away and they changed',
      { footerText: null },
      { footerText: 'b' },
      ['footerText'],
    ],
    [
      'nothing when they changed something else',
      { footerText: 'mine' },
      { ...seen, name: 'B' },
      [],
    ],
    ['nothing when both made the same of it', { footerText: 'same' }, { footerText: 'same' }, []],
    ['nothing when both took it away', { footerText: null }, { name: 'A' }, []],
    ['nothing of what is not sent', { footerText: undefined }, { footerText: 'theirs' }, []],
  ])('names %s', (_, changes, now, expected) => {
    expect(undoneBy(changes, seen, now)).toEqual(expected);
  });

  it('finds nothing while no one else changes anything', () => {
    const settings = fc.dictionary(fc.string(), fc.string());
    fc.assert(
      fc.property(settings, settings, (before, changes) => {
        expect(undoneBy(changes, before, before)).toEqual([]);
      }),
    );
  });
});

describe('seenAfter', () => {
  it('lets what was reported be replaced, but nothing else of theirs', () => {
    const seen = { footerText: 'old', replyTo: 'old@example.com' };
    const theirs = { footerText: 'theirs', replyTo: 'theirs@example.com' };

    const after = seenAfter(seen, theirs, ['footerText']);

    const mine = { footerText: 'mine', replyTo: 'mine@example.com' };
    expect(undoneBy(mine, after, theirs)).toEqual(['replyTo']);
    expect(undoneBy(mine, after, { ...theirs, footerText: 'theirs again' })).toEqual([
      'footerText',
      'replyTo',
    ]);
  });
});

it('counts removed settings as changed, but not left-out ones', () => {
  expect(changedNames({ name: undefined, footerText: null, replyTo: 'a@example.com' })).toEqual([
    'footerText',
    'replyTo',
  ]);
});
