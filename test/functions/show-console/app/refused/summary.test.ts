import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  refusedAlike,
  searched,
} from '../../../../../functions/show-console/app/refused/summary.ts';

describe('what was refused alike', () => {
  it('is by code and key, the most first', () => {
    expect(
      refusedAlike([
        { code: 'a', apiKeyId: '1', count: 2 },
        { code: 'b', apiKeyId: '1', count: 5 },
        { code: 'a', apiKeyId: '2', count: 1 },
        { code: 'a', apiKeyId: '1', count: 4 },
      ]),
    ).toEqual([
      { code: 'a', apiKeyId: '1', count: 6 },
      { code: 'b', apiKeyId: '1', count: 5 },
      { code: 'a', apiKeyId: '2', count: 1 },
    ]);
  });

  it('loses and invents no request', () => {
    const refusal = fc.record({
      code: fc.constantFrom('a', 'b'),
      apiKeyId: fc.constantFrom('1', '2'),
      count: fc.integer({ min: 1, max: 9 }),
    });
    const sum = (all: readonly { readonly count: number }[]) =>
      all.reduce((total, { count }) => total + count, 0);
    fc.assert(
      fc.property(fc.array(refusal), (refusals) => {
        expect(sum(refusedAlike(refusals))).toBe(sum(refusals));
      }),
    );
  });
});

describe('what is searched for', () => {
  it.each([
    ['validation_failed', { code: 'validation_failed' }],
    ['POST /api/v1/emails/send', { route: 'POST /api/v1/emails/send' }],
    ['bGBmcgUlliAEJzg=', { requestId: 'bGBmcgUlliAEJzg=' }],
    ['4c1c1b3e-7f0e-4a4c-9d6b-2f6a', { requestId: '4c1c1b3e-7f0e-4a4c-9d6b-2f6a' }],
    [undefined, {}],
  ])('%j is %j', (text, found) => {
    expect(searched(text)).toEqual({
      route: undefined,
      code: undefined,
      requestId: undefined,
      ...found,
    });
  });
});
