import { describe, expect, it } from 'vitest';
import {
  isInDoubt,
  nextAttempt,
} from '../../../../../functions/show-console/app/templates/attempt.ts';

describe('nextAttempt', () => {
  it('has a key of its own', () => {
    expect(nextAttempt(undefined, 'a', () => 'new')).toEqual({ content: 'a', key: 'new' });
  });

  it('repeats the press before with its key, if nobody knows what became of it', () => {
    expect(nextAttempt({ content: 'a', key: 'old' }, 'a', () => 'new').key).toBe('old');
  });

  it('is another email when something else is sent', () => {
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
  ])('a request that failed with %i: %s', (status, expected) => {
    expect(isInDoubt(status)).toBe(expected);
  });
});
