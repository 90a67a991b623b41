import { describe, expect, it } from 'vitest';
import { longestChain } from './table-meter.ts';

const call = (startedAt: number, endedAt: number) => ({ startedAt, endedAt });

describe('the longest chain of calls', () => {
  it('is none without calls', () => {
    expect(longestChain([])).toBe(0);
  });

  it('counts calls that began when the one before had ended', () => {
    expect(longestChain([call(0, 10), call(10, 20), call(25, 30)])).toBe(3);
  });

  it('counts calls under way together once', () => {
    expect(longestChain([call(0, 10), call(1, 9), call(2, 30)])).toBe(1);
  });

  it('finds the chain through the shorter of two parallel calls', () => {
    expect(longestChain([call(0, 100), call(0, 10), call(11, 20), call(21, 30)])).toBe(3);
  });

  it('does not depend on the order in which calls are listed', () => {
    expect(longestChain([call(25, 30), call(0, 10), call(12, 20), call(5, 15)])).toBe(3);
  });
});
