import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { minuteStartOf } from '#shared/access/rate-window';
import { matchesFilter, placesPerMinute, refusalSchema } from '#shared/access/refusal';
import { createRefusalTally } from '#shared/access/refusal-tally';
import { newRequestContext, type RequestContext } from '#shared/access/request-context';
import { notingRefusals } from '#shared/endpoints/note-refusals';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { refusalKey } from '#shared/table/keys';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { type Intercept, openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildRefusal } from '../../support/refusal-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const apiKeyId = newApiKeyId(newOrganizationId());
const now = 1_750_000_000_000;

/** Runs requests one after another; each throws or not. */
function openNotes(intercept: Intercept = (_call, run) => run()) {
  let writes = 0;
  let requests = 0;
  const { table, items } = openMemoryTable({
    intercept: (call, run) => {
      writes += 1;
      return intercept(call, run);
    },
  });
  const recorded = recordLog();
  const noting = { table, now: () => now, tally: createRefusalTally() };
  const run = (answer: (context: RequestContext) => Promise<string>) => {
    const context = newRequestContext(recorded.log);
    requests += 1;
    const request = { route: 'GET /api/v1/sends/{id}', requestId: `request-${requests}`, context };
    return notingRefusals(noting, request, () => answer(context));
  };
  const noted = () => items().map((item) => refusalSchema.parse(item));
  return { table, noted, writes: () => writes, run, recorded };
}

const noTable: Intercept = async () => {
  throw new Error('no table for ann@example.com');
};

const refuse = async (context: RequestContext) => {
  context.apiKeyId = apiKeyId;
  throw new ServiceError('send_not_found');
};

describe('a request of a key', () => {
  it('is noted if it is refused, before the answer', async () => {
    const { noted, run } = openNotes();

    expect((await serviceErrorOf(() => run(refuse))).code).toBe('send_not_found');

    expect(noted()).toEqual([
      {
        apiKeyId,
        route: 'GET /api/v1/sends/{id}',
        requestId: 'request-1',
        status: 404,
        code: 'send_not_found',
        fields: [],
        message: new ServiceError('send_not_found').message,
        at: now,
        count: 1,
      },
    ]);
  });

  it.each([
    ['succeeds', true, undefined],
    ['is refused before its key is known', false, new ServiceError('invalid_api_key')],
    ['fails by a fault of the service', true, new ServiceError('internal_error')],
    ['fails by a fault that nobody foresaw', true, new Error('unforeseen')],
  ])('is not noted if it %s', async (_what, isKeyKnown, error) => {
    const { noted, run } = openNotes();

    await run(async (context) => {
      if (isKeyKnown) context.apiKeyId = apiKeyId;
      if (error !== undefined) throw error;
      return 'answer';
    }).catch(() => {});

    expect(noted()).toEqual([]);
  });

  it('gets the same answer when the note fails, which is logged without the message', async () => {
    const { run, recorded } = openNotes(noTable);

    expect((await serviceErrorOf(() => run(refuse))).code).toBe('send_not_found');

    expect(JSON.stringify(recorded.lines)).toContain('refused request not noted');
    expect(JSON.stringify(recorded.lines)).not.toContain('ann@');
  });

  it('costs a write for each of the first few only', async () => {
    const { noted, writes, run } = openNotes();

    for (let count = 0; count < 1_000; count += 1) await serviceErrorOf(() => run(refuse));

    expect(writes()).toBeLessThan(50);
    expect(noted()).toHaveLength(1);
    expect(noted()[0]?.count).toBeGreaterThan(880);
  });

  it('is found by its id, if it is one of the last nine', async () => {
    const { noted, run } = openNotes();

    for (let count = 0; count < 9; count += 1) await serviceErrorOf(() => run(refuse));
    const [refusal = buildRefusal()] = noted();

    expect(refusal.requestIds).toHaveLength(9);
    for (let count = 1; count <= 9; count += 1) {
      expect(matchesFilter(refusal, { requestId: `request-${count}` })).toBe(true);
    }
    expect(matchesFilter(refusal, { requestId: 'request-10' })).toBe(false);
    for (let count = 0; count < 100; count += 1) await serviceErrorOf(() => run(refuse));
    expect(noted()[0]?.requestIds).toHaveLength(9);
  });

  it('costs no more writes in a minute that is full for its kind', async () => {
    const { table, writes, run } = openNotes();
    for (let place = 0; place < placesPerMinute; place += 1) {
      const Item = { ...refusalKey(apiKeyId, minuteStartOf(now), place), ...buildRefusal() };
      await table.client.send(new PutCommand({ TableName: table.name, Item }));
    }
    await serviceErrorOf(() => run(refuse));
    const tried = writes();

    for (let count = 0; count < 20; count += 1) await serviceErrorOf(() => run(refuse));

    expect(tried).toBeGreaterThan(placesPerMinute);
    expect(writes()).toBe(tried);
  });
});

describe('the shape of a refused body', () => {
  const body = { to: 'ann@example.com', variables: { code: 123_456 } };
  const refusing = (changes: Partial<RequestContext>) => async (context: RequestContext) => {
    Object.assign(context, changes);
    return refuse(context);
  };

  it('is kept for an organization that keeps them, without a value', async () => {
    const { noted, run } = openNotes();

    await serviceErrorOf(() =>
      run(refusing({ keepsRefusedShapes: true, readBodyAgain: () => body })),
    );

    expect(noted()).toMatchObject([{ shape: '{ to: string, variables: { code: number } }' }]);
    expect(JSON.stringify(noted())).not.toMatch(/ann@|123456/);
  });

  it('is not made for one that has not asked for it, nor for what is not written', async () => {
    const { noted, run } = openNotes();
    let made = 0;
    const readBodyAgain = () => {
      made += 1;
      return body;
    };

    await serviceErrorOf(() => run(refusing({ readBodyAgain })));
    expect(made).toBe(0);
    expect(noted()[0]).not.toHaveProperty('shape');

    const keeping = refusing({ keepsRefusedShapes: true, readBodyAgain });
    for (let count = 0; count < 10_000; count += 1) await serviceErrorOf(() => run(keeping));
    expect(made).toBeLessThan(80);
  });

  it('is left out of a body that can’t be read', async () => {
    const { noted, run } = openNotes();
    const readBodyAgain = () => {
      throw new ServiceError('malformed_json');
    };

    await serviceErrorOf(() => run(refusing({ keepsRefusedShapes: true, readBodyAgain })));

    expect(noted()).toHaveLength(1);
    expect(noted()[0]).not.toHaveProperty('shape');
  });
});

describe('a request that is refused in parts', () => {
  const fault = (path: string) => invalidField(path, 'is wrong');
  const runWith = async (errors: readonly ServiceError[], intercept?: Intercept) => {
    const { noted, run } = openNotes(intercept);
    const answer = await run(async (context) => {
      context.apiKeyId = apiKeyId;
      context.refusedParts = errors;
      return 'answer';
    });
    return { noted: noted(), answer };
  };

  it('is noted once for all parts that are refused alike', async () => {
    const { noted } = await runWith([
      fault('emails.0.to'),
      fault('emails.17.to'),
      new ServiceError('internal_error'),
      fault('emails.3.cc'),
      fault('emails.99.to'),
    ]);

    expect(noted.toSorted((one, other) => other.count - one.count)).toMatchObject([
      { code: 'validation_failed', fields: ['emails.*.to'], count: 3, requestId: 'request-1' },
      { code: 'validation_failed', fields: ['emails.*.cc'], count: 1 },
    ]);
  });

  it('notes eight kinds, however many ways there are', async () => {
    const kinds = new Set<string>();
    // Another kind may have the place that one tries first, and even all of its places.
    const listen: Intercept = (call, run) => {
      if (call.operation === 'UpdateItem') {
        kinds.add(JSON.stringify(call.input.ExpressionAttributeValues?.[':fields']));
      }
      return run();
    };

    await runWith(
      Array.from({ length: 100 }, (_, place) => fault(`emails.${place}.field${place}`)),
      listen,
    );

    expect(kinds.size).toBe(8);
  });

  it('is answered all the same when nothing can be noted', async () => {
    const { answer } = await runWith([fault('emails.0.to')], noTable);

    expect(answer).toBe('answer');
  });
});
