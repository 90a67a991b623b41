import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  askAgainWhenBusy,
  maxTries,
  tooManyRequests,
  unavailable,
} from '../../../../../functions/show-console/app/shared/again.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const throttled = () => Response.json({ message: tooManyRequests }, { status: 429 });
const noExecution = () => Response.json({ message: unavailable }, { status: 503 });
const done = () => Response.json({});

/** @param tookMs how long each answer takes. */
async function askWith(answers: readonly (() => Response)[], tookMs = 0) {
  let asked = 0;
  const tellBusy = vi.fn();
  const ask = async () => {
    const answer = answers[asked] ?? answers.at(-1) ?? done;
    asked += 1;
    if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
    return answer();
  };
  const asking = askAgainWhenBusy(ask, { tellBusy });
  await vi.runAllTimersAsync();
  const response = await asking;
  return { status: response.status, asked, toldBusy: tellBusy.mock.calls.length };
}

describe('a request that API Gateway refused', () => {
  it.each([
    ['whose route was throttled', throttled],
    ['whose function Lambda throttled', noExecution],
  ])('%s is made again until it’s answered', async (_, refused) => {
    expect(await askWith([refused, refused, done])).toMatchObject({ status: 200, asked: 3 });
  });

  it('is talked of from the third time on', async () => {
    expect(await askWith([throttled, throttled, done])).toMatchObject({ toldBusy: 0 });
    expect(await askWith([throttled, throttled, throttled, done])).toMatchObject({ toldBusy: 1 });
  });

  it('is given up in the end, with that answer', async () => {
    expect(await askWith([throttled])).toMatchObject({ status: 429, asked: maxTries });
  });

  it('isn’t made again when its function may have run for 30 s', async () => {
    expect(await askWith([noExecution], 30_000)).toMatchObject({ status: 503, asked: 1 });
  });

  it('isn’t made again once nobody waits for it', async () => {
    const abort = new AbortController();
    const asking = askAgainWhenBusy(async () => throttled(), {
      signal: abort.signal,
      tellBusy: () => {},
    });
    const outcome = expect(asking).rejects.toThrow('left the page');

    await vi.advanceTimersByTimeAsync(100);
    abort.abort(new Error('left the page'));

    await outcome;
  });
});

it.each([
  ['limit of changes', 429, { code: 'change_limit_exceeded', detail: 'Tomorrow.' }],
  ['unreachable provider', 503, { code: 'provider_unreachable' }],
])('a refusal of the service itself (%s) is answered at once', async (_, status, problem) => {
  const refused = () => Response.json(problem, { status });

  expect(await askWith([refused, done])).toMatchObject({ status, asked: 1 });
});
