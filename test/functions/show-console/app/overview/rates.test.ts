import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RateKind, rateLimits, rateOf } from '#shared/usage/rate-limits';
import { rateText } from '../../../../../functions/show-console/app/overview/rates.ts';

const kinds: fc.Arbitrary<RateKind> = fc.constantFrom('bounced', 'complained');
const figures = fc
  .record({ kind: kinds, sent: fc.nat(10_000_000), counted: fc.nat(20_000) })
  .map(({ counted, ...rest }) => ({ ...rest, counted: Math.min(counted, rest.sent) }));

/** Whether so many of the emails are the limit or more, without a division. */
const isAtLimit = (kind: RateKind, sent: number, counted: number) =>
  counted * 1_000 >= rateLimits[kind].perMille * sent;

describe('rateOf', () => {
  it('says how many more reach the limit: that many do, one fewer doesn’t', () => {
    fc.assert(
      fc.property(figures, ({ kind, sent, counted }) => {
        const rate = rateOf(kind, sent, counted);
        if (rate.state !== 'below' && rate.state !== 'near') return;
        expect(rate.left).toBeGreaterThan(0);
        expect(isAtLimit(kind, sent, counted + rate.left)).toBe(true);
        expect(isAtLimit(kind, sent, counted + rate.left - 1)).toBe(false);
      }),
    );
  });

  it('reports a limit as reached exactly when it is, from the smallest sample on', () => {
    fc.assert(
      fc.property(figures, ({ kind, sent, counted }) => {
        const { state } = rateOf(kind, sent, counted);
        const isEnough = sent >= rateLimits[kind].leastSent;
        expect(state === 'too_few').toBe(!isEnough);
        expect(state === 'reached').toBe(isEnough && isAtLimit(kind, sent, counted));
      }),
    );
  });

  it('never improves after one more bounce or complaint', () => {
    const order = ['too_few', 'below', 'near', 'reached'];
    fc.assert(
      fc.property(figures, ({ kind, sent, counted }) => {
        const before = rateOf(kind, sent, counted);
        const after = rateOf(kind, sent, counted + 1);
        expect(order.indexOf(after.state)).toBeGreaterThanOrEqual(order.indexOf(before.state));
      }),
    );
  });

  it.each([
    { kind: 'bounced', sent: 99, counted: 99, rate: { state: 'too_few', missing: 1 } },
    { kind: 'bounced', sent: 100, counted: 0, rate: { state: 'below', left: 5 } },
    { kind: 'bounced', sent: 100, counted: 3, rate: { state: 'below', left: 2 } },
    { kind: 'bounced', sent: 100, counted: 4, rate: { state: 'near', left: 1 } },
    { kind: 'bounced', sent: 100, counted: 5, rate: { state: 'reached', percent: 5 } },
    { kind: 'complained', sent: 999, counted: 1, rate: { state: 'too_few', missing: 1 } },
    { kind: 'complained', sent: 1_000, counted: 0, rate: { state: 'below', left: 1 } },
    { kind: 'complained', sent: 1_000, counted: 1, rate: { state: 'reached', percent: 0.1 } },
    { kind: 'complained', sent: 3_001, counted: 3, rate: { state: 'near', left: 1 } },
  ] as const)('of $counted $kind in $sent is $rate', ({ kind, sent, counted, rate }) => {
    expect(rateOf(kind, sent, counted)).toEqual(rate);
  });
});

describe('rateText', () => {
  it('shows no rate for too small a sample, and says what it takes', () => {
    fc.assert(
      fc.property(kinds, fc.nat(99), (kind, sent) => {
        const text = rateText(kind, sent, sent);
        expect(text).toContain('too few to tell');
        expect(text).not.toContain('%');
      }),
    );
  });

  it('counts how many are left', () => {
    expect(rateText('bounced', 100, 4)).toBe('1 more bounce until 5 %. 4 of 100 emails so far.');
    expect(rateText('complained', 5_000, 3)).toMatch(/^2 more complaints until 0.1 %\./);
    expect(rateText('bounced', 200, 30)).toMatch(/15 %, and the limit is 5 %/);
  });
});
