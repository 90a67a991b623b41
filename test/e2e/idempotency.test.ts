import { describe, expect, it } from 'vitest';
import { delayForwarding } from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, retryUntilDone } from '../support/service-caller.ts';

const service = await useFaultyService();

const times = <Result>(count: number, run: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, run));

describe('fifty concurrent requests with one idempotency key', () => {
  it('send one email, and each of the others is replayed or asked to retry', async () => {
    const caller = await service.newCaller();
    const request = () => caller.send({}, { 'idempotency-key': 'order-1' });
    // Long enough for all of them to find the send under way.
    service.ses.inject({ operation: 'SendEmail', action: delayForwarding(300) });

    const answers = await times(50, request);

    const [first, ...others] = answers.flatMap(({ result }) =>
      result?.reused ? [] : (result ?? []),
    );
    const refused = answers.filter(({ result }) => result === undefined);
    expect(others).toEqual([]);
    expect(refused.map(({ status, problem }) => `${status} ${problem?.code}`)).toEqual(
      refused.map(() => '409 idempotency_in_progress'),
    );
    expect(refused.every(({ retryAfter }) => retryAfter === 1)).toBe(true);
    expect(await service.inbox()).toMatchObject([{ messageId: first?.messageId }]);
    expect(service.ses.count('SendEmail')).toBe(1);
  });

  it('get fifty answers about one send when each retries after Retry-After', async () => {
    const caller = await service.newCaller();
    const request = () => caller.send({}, { 'idempotency-key': 'order-1' });
    service.ses.inject({ operation: 'SendEmail', action: delayForwarding(300) });

    const results = await times(50, () => retryUntilDone(request));

    const [first, ...others] = results.filter(({ reused }) => !reused);
    expect(others).toEqual([]);
    expect(results).toEqual(results.map(({ reused }) => ({ ...first, reused })));
    expect(await service.inbox()).toHaveLength(1);
  });

  it('send one email even when SES answers at once', async () => {
    const caller = await service.newCaller();
    const request = () => caller.send({}, { 'idempotency-key': 'order-1' });

    const results = await times(50, () => retryUntilDone(request));

    expect(new Set(results.map(({ sendId }) => sendId)).size).toBe(1);
    expect(results.filter(({ reused }) => !reused)).toHaveLength(1);
    expect(await service.inbox()).toHaveLength(1);
  });
});

describe('a second request with the same key', () => {
  it('is answered with the first response, marked as a replay', async () => {
    const caller = await service.newCaller();
    const first = resultOf(await caller.send({}, { 'idempotency-key': 'order-1' }));

    const second = await caller.send({}, { 'idempotency-key': 'order-1' });

    expect(second.result).toEqual({ ...first, reused: true });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('idempotency-key')).toBe('order-1');
    expect(await service.inbox()).toHaveLength(1);
  });

  it('is a replay even when the key is in the body', async () => {
    const caller = await service.newCaller();
    const first = resultOf(await caller.send({}, { 'idempotency-key': 'order-1' }));

    const second = await caller.send({ idempotencyKey: 'order-1' });

    expect(second.result).toEqual({ ...first, reused: true });
    expect(await service.inbox()).toHaveLength(1);
  });

  it('is refused and sends nothing when it is a different email', async () => {
    const caller = await service.newCaller();
    await caller.send({}, { 'idempotency-key': 'order-1' });

    const other = await caller.send({ subject: 'Another' }, { 'idempotency-key': 'order-1' });

    expect(other).toMatchObject({ status: 422, problem: { code: 'idempotency_key_reused' } });
    expect(other.retryAfter).toBeUndefined();
    expect(await service.inbox()).toHaveLength(1);
  });
});

describe('requests without a key', () => {
  it('each send a separate email', async () => {
    const caller = await service.newCaller();

    const results = (await times(3, () => caller.send())).map(resultOf);

    expect(new Set(results.map(({ sendId }) => sendId)).size).toBe(3);
    expect(results.every(({ reused }) => !reused)).toBe(true);
    expect(await service.inbox()).toHaveLength(3);
  });
});
