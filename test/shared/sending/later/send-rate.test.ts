import { describe, expect, it } from 'vitest';
import { keepSendRate, queuedSendRate } from '#shared/sending/later/send-rate';

describe('the rate of queued emails', () => {
  it.each([
    {
      account: 100,
      most: undefined,
      rate: 80,
      why: 'leaves a fifth to requests that send at once',
    },
    { account: 100, most: 30, rate: 30, why: 'is what the deployment allows' },
    { account: 14, most: 30, rate: 14, why: 'is never more than the rate of the account' },
    { account: 1, most: undefined, rate: 0.8, why: 'follows an account in the sandbox' },
    { account: undefined, most: undefined, rate: 10, why: 'is a usual one while SES is silent' },
    { account: undefined, most: 30, rate: 30, why: 'is what is allowed while SES is silent' },
  ])('$why', ({ account, most, rate }) => {
    expect(queuedSendRate(account, { most, share: 1 })).toBe(rate);
  });

  it('is shared by all processes', () => {
    expect(queuedSendRate(100, { most: undefined, share: 1 / 4 })).toBe(20);
  });
});

/** SES's answers in turn; `wait` returns at once, as if SES were slow. */
function prepare(answers: readonly (number | undefined | 'refused' | 'silent')[]) {
  let time = 1_750_000_000_000;
  let asked = 0;
  const waits: number[] = [];
  const rate = keepSendRate(
    async () => {
      const answer = answers[asked];
      asked += 1;
      if (answer === 'refused') throw new Error('TooManyRequestsException');
      if (answer === 'silent') return new Promise(() => {});
      return answer;
    },
    {
      now: () => time,
      wait: async (ms) => {
        waits.push(ms);
        // SES's answer, if any, comes first.
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const pass = (ms: number) => {
    time += ms;
  };
  return { rate, pass, settle, waits, asked: () => asked };
}

describe("the account's send rate", () => {
  it('is requested once in five minutes, and cached in between', async () => {
    const { rate, pass, settle, asked } = prepare([14, 50]);

    const first = await Promise.all([rate(), rate()]);
    pass(299_999);
    const kept = await rate();
    pass(1);
    const whileAsking = await rate();
    await settle();

    expect([first, kept, whileAsking, await rate()]).toEqual([[14, 14], 14, 14, 50]);
    expect(asked()).toBe(2);
  });

  it("stays at its last value while SES doesn't answer, and SES is asked again after a minute", async () => {
    const { rate, pass, settle, asked } = prepare([14, 'refused', 20]);
    await rate();
    pass(300_000);
    await rate();
    await settle();

    const afterFailure = await rate();
    pass(60_000);
    await rate();
    await settle();

    expect([afterFailure, await rate()]).toEqual([14, 20]);
    expect(asked()).toBe(3);
  });

  it.each(['refused', 'silent'] as const)(
    "is unknown at first if SES is %s, and doesn't hold up callers for long",
    async (answer) => {
      const { rate, waits } = prepare([answer]);

      expect(await rate()).toBeUndefined();
      expect(waits).toEqual([2_000]);
    },
  );
});
