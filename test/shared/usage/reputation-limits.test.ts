import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RateKind, rateOf, reviewRates } from '#shared/usage/reputation-limits';

const kinds: fc.Arbitrary<RateKind> = fc.constantFrom('bounced', 'complained');
const figures = fc
  .record({ kind: kinds, sent: fc.nat(10_000_000), counted: fc.nat(20_000) })
  .map(({ counted, ...rest }) => ({ ...rest, counted: Math.min(counted, rest.sent) }));

/** Whether this many of the emails are the limit or more, without a division. */
const isAtLimit = (kind: RateKind, sent: number, counted: number) =>
  counted * 1_000 >= reviewRates[kind].perMille * sent;

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
        if (sent < reviewRates[kind].leastSent) return;
        const isReached = rateOf(kind, sent, counted).state === 'reached';
        expect(isReached).toBe(counted > 0 && isAtLimit(kind, sent, counted));
      }),
    );
  });

  it("reports a small sample's limit as reached only if nothing can bring it below", () => {
    fc.assert(
      fc.property(kinds, fc.nat(999), fc.nat(999), (kind, sent, counted) => {
        const { leastSent } = reviewRates[kind];
        if (sent >= leastSent || counted > sent) return;
        const isReached = rateOf(kind, sent, counted).state === 'reached';
        // As if everything still missing went well.
        if (isReached) expect(rateOf(kind, leastSent, counted).state).toBe('reached');
        expect(isReached && counted === 1).toBe(false);
      }),
    );
  });

  it('never improves after another bounce or complaint', () => {
    const order = ['too_few', 'early', 'below', 'near', 'reached'];
    fc.assert(
      fc.property(figures, ({ kind, sent, counted }) => {
        const before = rateOf(kind, sent, counted);
        const after = rateOf(kind, sent, counted + 1);
        expect(order.indexOf(after.state)).toBeGreaterThanOrEqual(order.indexOf(before.state));
      }),
    );
  });

  it.each([
    { kind: 'bounced', sent: 0, counted: 0, rate: { state: 'too_few', percent: 0, missing: 100 } },
    {
      kind: 'bounced',
      sent: 9,
      counted: 1,
      rate: { state: 'too_few', percent: 11.11, missing: 91 },
    },
    { kind: 'bounced', sent: 23, counted: 2, rate: { state: 'early', percent: 8.7, missing: 77 } },
    { kind: 'bounced', sent: 78, counted: 7, rate: { state: 'reached', percent: 8.97 } },
    { kind: 'bounced', sent: 99, counted: 99, rate: { state: 'reached', percent: 100 } },
    { kind: 'bounced', sent: 100, counted: 0, rate: { state: 'below', percent: 0, left: 5 } },
    { kind: 'bounced', sent: 100, counted: 3, rate: { state: 'below', percent: 3, left: 2 } },
    { kind: 'bounced', sent: 100, counted: 4, rate: { state: 'near', percent: 4, left: 1 } },
    { kind: 'bounced', sent: 100, counted: 5, rate: { state: 'reached', percent: 5 } },
    {
      kind: 'complained',
      sent: 9,
      counted: 1,
      rate: { state: 'too_few', percent: 11.11, missing: 991 },
    },
    { kind: 'complained', sent: 9, counted: 2, rate: { state: 'reached', percent: 22.22 } },
    { kind: 'complained', sent: 1_000, counted: 0, rate: { state: 'below', percent: 0, left: 1 } },
    { kind: 'complained', sent: 1_000, counted: 1, rate: { state: 'reached', percent: 0.1 } },
    { kind: 'complained', sent: 3_001, counted: 3, rate: { state: 'near', percent: 0.1, left: 1 } },
  ] as const)('for $counted $kind in $sent is $rate', ({ kind, sent, counted, rate }) => {
    expect(rateOf(kind, sent, counted)).toEqual(rate);
  });
});
