import { describe, expect, it } from 'vitest';
import type { Refusal } from '#shared/access/refusal';
import { openRefusalNotes } from '#shared/endpoints/note-refusals';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { openRequestContext, type RequestContext } from '#shared/http/request-context';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { recordLog } from '../../support/recorded-log.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const apiKeyId = newApiKeyId(newOrganizationId());
const now = 1_750_000_000_000;

type NoteRefusal = (refusal: Refusal) => Promise<'noted' | 'full'>;

/** Runs requests one after another; each throws or not. */
function openNotes(noteRefusal?: NoteRefusal) {
  const noted: Refusal[] = [];
  const recorded = recordLog();
  const store: NoteRefusal = async (refusal) => {
    noted.push(refusal);
    return (await noteRefusal?.(refusal)) ?? 'noted';
  };
  const noting = openRefusalNotes({ apiKeys: { noteRefusal: store }, now: () => now });
  const run = (answer: (context: RequestContext) => Promise<string>) => {
    const context = openRequestContext(recorded.log);
    const request = { route: 'GET /api/v1/sends/{id}', requestId: 'request-1', context };
    return noting(request, () => answer(context));
  };
  return { noted, run, recorded };
}

const refuse = async (context: RequestContext) => {
  context.apiKeyId = apiKeyId;
  throw new ServiceError('send_not_found');
};

describe('a request of a key', () => {
  it('is noted if it is refused, before the answer', async () => {
    const { noted, run } = openNotes();

    expect((await serviceErrorOf(() => run(refuse))).code).toBe('send_not_found');

    expect(noted).toEqual([
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

    expect(noted).toEqual([]);
  });

  it('gets the same answer when the note fails, which is logged without the message', async () => {
    const { run, recorded } = openNotes(async () => {
      throw new Error('no table for ann@example.com');
    });

    expect((await serviceErrorOf(() => run(refuse))).code).toBe('send_not_found');

    expect(JSON.stringify(recorded.lines)).toContain('refused request not noted');
    expect(JSON.stringify(recorded.lines)).not.toContain('ann@');
  });

  it('costs a write for each of the first few only', async () => {
    const { noted, run } = openNotes();

    for (let count = 0; count < 1_000; count += 1) await serviceErrorOf(() => run(refuse));

    expect(noted.length).toBeLessThan(50);
    const told = noted.reduce((sum, { count }) => sum + count, 0);
    expect(told).toBeGreaterThan(880);
  });

  it('costs no more writes in a minute that has no room for its kind', async () => {
    const { noted, run } = openNotes(async () => 'full');

    for (let count = 0; count < 20; count += 1) await serviceErrorOf(() => run(refuse));

    expect(noted).toHaveLength(1);
  });
});

describe('a request that is refused in parts', () => {
  const fault = (path: string) => invalidField(path, 'is wrong');
  const runWith = async (errors: readonly ServiceError[], noteRefusal?: NoteRefusal) => {
    const { noted, run } = openNotes(noteRefusal);
    const answer = await run(async (context) => {
      context.apiKeyId = apiKeyId;
      context.refusedParts = errors;
      return 'answer';
    });
    return { noted, answer };
  };

  it('is noted once for all parts that are refused alike', async () => {
    const { noted } = await runWith([
      fault('emails.0.to'),
      fault('emails.17.to'),
      new ServiceError('internal_error'),
      fault('emails.3.cc'),
      fault('emails.99.to'),
    ]);

    expect(noted).toMatchObject([
      { code: 'validation_failed', fields: ['emails.*.to'], count: 3, requestId: 'request-1' },
      { code: 'validation_failed', fields: ['emails.*.cc'], count: 1 },
    ]);
  });

  it('takes at most eight writes, however many ways there are', async () => {
    const { noted } = await runWith(
      Array.from({ length: 100 }, (_, place) => fault(`emails.${place}.field${place}`)),
    );

    expect(noted).toHaveLength(8);
  });

  it('is answered all the same when nothing can be noted', async () => {
    const { answer } = await runWith([fault('emails.0.to')], async () => {
      throw new Error('no table');
    });

    expect(answer).toBe('answer');
  });
});
