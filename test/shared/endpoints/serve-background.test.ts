import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineFunction } from '#shared/endpoints/background-function';
import { serveQueue, serveSchedule, serveStream } from '#shared/endpoints/serve-background';
import { captureOutput } from '../../support/captured-output.ts';
import { lambdaContext } from '../../support/lambda-context.ts';

vi.stubEnv('TABLE_NAME', 'none');

const lambda = { tableActions: [] } as const;
const secret = 'ann@example.com';

const queue = {
  trigger: 'send-queue',
  message: z.object({ id: z.string() }),
  failure: 'thing not done',
  lambda,
} as const;

describe('a queue', () => {
  it('gets back the messages that failed and the foreign ones, and no others', async () => {
    const output = captureOutput();
    const taken: string[] = [];
    let batches = 0;
    const handler = serveQueue(
      defineFunction({ ...queue, uses: { taken: () => taken } }, (opened) => {
        batches += 1;
        return async ({ id }) => {
          opened.taken.push(id);
          if (id === 'bad') throw new Error(secret);
        };
      }),
    );
    const bodies = ['{"id":"good"}', 'no JSON', '{"id":1}', '{"id":"bad"}'];
    const Records = bodies.map((body, index) => ({ messageId: `m${index}`, body }));

    const { batchItemFailures } = await handler({ Records }, lambdaContext());

    expect(taken).toEqual(['good', 'bad']);
    expect(batches).toBe(1);
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual([
      'm1',
      'm2',
      'm3',
    ]);
    expect(output.text().match(/thing not done/g)).toHaveLength(3);
    expect(output.text()).not.toContain(secret);
  });

  it('throws what Lambda may log when every message failed, so that Lambda counts an error', async () => {
    const output = captureOutput();
    const handler = serveQueue(
      defineFunction(queue, () => async () => {
        throw new Error(secret);
      }),
    );
    const Records = ['m1', 'm2'].map((messageId) => ({ messageId, body: '{"id":"bad"}' }));

    const answer = handler({ Records }, lambdaContext());

    await expect(answer).rejects.toThrow(/^thing not done$/);
    expect(output.text().match(/"messageId":"m[12]"/g)).toHaveLength(2);
    expect(output.text()).not.toContain(secret);
  });
});

describe('a queue whose messages all fail', () => {
  const message = (id: string, received = 1) => ({
    messageId: id,
    body: JSON.stringify({ id }),
    attributes: { ApproximateReceiveCount: `${received}` },
  });
  /** Fails at bad messages, on a clock that the test sets. */
  function openQueue() {
    captureOutput();
    const clock = { now: 1_750_000_000_000 };
    const handler = serveQueue(
      defineFunction({ ...queue, uses: () => ({ now: () => clock.now }) }, () => async ({ id }) => {
        if (id.startsWith('bad')) throw new Error(secret);
      }),
    );
    const take = (...Records: readonly ReturnType<typeof message>[]) =>
      handler({ Records }, lambdaContext());
    return { clock, take };
  }

  it('counts no error for bad messages that failed before, perhaps at another version', async () => {
    const { take } = openQueue();

    const { batchItemFailures } = await take(message('bad 1', 2), message('bad 2', 5));

    expect(batchItemFailures).toHaveLength(2);
    await expect(take(message('bad 1', 3), message('bad 3'))).rejects.toThrow();
  });

  it('counts no error where the process did others well in the last five minutes', async () => {
    const { clock, take } = openQueue();
    await take(message('good'), message('bad 1'));

    clock.now += 5 * 60_000 - 1;
    expect((await take(message('bad 2'))).batchItemFailures).toHaveLength(1);
    clock.now += 1;
    await expect(take(message('bad 3'))).rejects.toThrow('thing not done');
  });
});

describe('a schedule', () => {
  it('runs for its own event only', async () => {
    const runs: string[] = [];
    const handler = serveSchedule(
      defineFunction(
        { trigger: 'schedule', uses: { name: () => 'a run' }, lambda },
        async ({ name }) => runs.push(name),
      ),
    );

    await handler({ scheduledRun: true }, lambdaContext());
    await expect(handler({ scheduledRun: false }, lambdaContext())).rejects.toThrow();

    expect(runs).toEqual(['a run']);
  });
});

describe('a stream', () => {
  const stream = {
    trigger: 'table-stream',
    batch: z.object({ Records: z.array(z.unknown()) }),
    failure: 'things not counted',
    lambda,
  } as const;

  it('throws what Lambda may log, so that the batch comes again', async () => {
    const output = captureOutput();
    const handler = serveStream(
      defineFunction(stream, async () => {
        throw new Error(secret);
      }),
    );

    const answer = handler({ Records: [1, 2] }, lambdaContext());

    await expect(answer).rejects.toThrow(/^things not counted$/);
    expect(output.text()).toContain('"records":2');
    expect(output.text()).not.toContain(secret);
  });

  it('answers what its work returns', async () => {
    const handler = serveStream(
      defineFunction(stream, async ({ Records }) => ({ state: Records })),
    );

    expect(await handler({ Records: [1] }, lambdaContext())).toEqual({ state: [1] });
  });
});
