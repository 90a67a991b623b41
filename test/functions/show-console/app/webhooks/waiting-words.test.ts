import { describe, expect, it } from 'vitest';
import type {
  Attempt,
  Delivery,
} from '../../../../../functions/show-console/app/webhooks/deliveries.ts';
import {
  doesText,
  failuresIn,
  medianMs,
  waitingText,
} from '../../../../../functions/show-console/app/webhooks/waiting-words.ts';

const at = 1_795_338_000_999;
let deliveries = 0;

const delivery = (status: Delivery['status'], ...attempts: Partial<Attempt>[]): Delivery => {
  deliveries += 1;
  return {
    ...{ id: `dlv_${deliveries}`, messageId: 'msg_1', type: 'email.sent', status, payload: '{}' },
    createdAt: at,
    attempts: attempts.map((attempt) => ({ at, durationMs: 31, ...attempt })),
  };
};

const gateway = { statusCode: 502, answer: '\n <h1>Bad Gateway</h1>\n<hr>nginx' };

describe('waitingText', () => {
  it.each([
    [{ count: 1, isExact: true }, '1 delivery waits'],
    [{ count: 1_214, isExact: true }, '1,214 deliveries wait'],
    [{ count: 980, isExact: false }, 'At least 980 deliveries wait'],
  ])('of %o is %s', (waiting, text) => {
    expect(waitingText(waiting)).toBe(text);
  });
});

describe('doesText', () => {
  it.each([
    [{ statusCode: 502 }, 'answers 502'],
    [{ error: 'timeout' }, 'gives no answer (timed out)'],
    [{ error: 'econnrefused' }, 'gives no answer (connection refused)'],
  ])('of %o is %s', (attempt, text) => {
    expect(doesText({ at, durationMs: 5, ...attempt })).toBe(text);
  });
});

describe('the failures among deliveries', () => {
  it('have each last answer once, the most frequent first, with the newest delivery', () => {
    const newest = delivery('pending', { statusCode: 500, answer: 'x' }, gateway);

    const groups = failuresIn([
      delivery('pending', { error: 'timeout' }),
      newest,
      delivery('failed', gateway),
      delivery('pending', { ...gateway, answer: 'else' }),
    ]);

    expect(groups).toEqual([
      { words: '502', text: '<h1>Bad Gateway</h1>', times: 2, delivery: newest },
      expect.objectContaining({ words: 'Timed out', text: '', times: 1 }),
      expect.objectContaining({ words: '502', text: 'else', times: 1 }),
    ]);
  });

  it('leave out what was delivered in the end, or not attempted yet', () => {
    const groups = failuresIn([
      delivery('delivered', gateway, { statusCode: 204 }),
      delivery('pending'),
    ]);

    expect(groups).toEqual([]);
  });
});

describe('medianMs', () => {
  it('is what half of the delivered ones were answered within', () => {
    const answered = [40, 10, 20, 5_000].map((durationMs) =>
      delivery('delivered', { durationMs: 9_000 }, { statusCode: 204, durationMs }),
    );

    expect(medianMs([...answered, delivery('failed', gateway)])).toBe(20);
    expect(medianMs([])).toBeUndefined();
  });
});
