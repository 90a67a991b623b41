import { describe, expect, it } from 'vitest';
import {
  isInDoubt,
  nextAttempt,
} from '../../../../../functions/show-console/app/templates/attempt.ts';

describe('nextAttempt', () => {
  it('gives each press its own key', () => {
    expect(nextAttempt(undefined, 'a', () => 'new')).toEqual({ content: 'a', key: 'new' });
  });

  it('keeps the key of a press that is in doubt', () => {
    expect(nextAttempt({ content: 'a', key: 'old' }, 'a', () => 'new').key).toBe('old');
  });

  it('takes a new key when the content differs', () => {
    expect(nextAttempt({ content: 'a', key: 'old' }, 'b', () => 'new').key).toBe('new');
  });
});

describe('isInDoubt', () => {
  it.each([
    [0, true],
    [500, true],
    [503, true],
    [400, false],
    [429, false],
  ])('says whether a request that failed with %i is in doubt: %s', (status, expected) => {
    expect(isInDoubt(status)).toBe(expected);
  });
});
